import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { showApiKey, useApiKeys, useSending } from "../api/queries.ts";
import type { ApiKey } from "../api/schemas.ts";
import { Dialog } from "../parts/Dialog.tsx";
import { useNow } from "../parts/hooks.ts";
import { RelativeTime } from "../parts/Labels.tsx";
import { ErrorNotice } from "../parts/Notices.tsx";
import { useAdmin } from "../session/admin.ts";
import { LastUse } from "./KeyLabels.tsx";
import { confirms, isTypeable, scopes, usedWithinADay } from "./keyRules.ts";

interface RevokeDialogProps {
  apiKey: ApiKey;
  /** The active key that replaces it, if any. */
  successor: ApiKey | null;
  onClose: () => void;
}

export function RevokeDialog({ apiKey, successor, onClose }: RevokeDialogProps) {
  const { announce } = useAdmin();
  if (apiKey.status === "revoked") return <RevokedAlready apiKey={apiKey} onClose={onClose} />;
  return (
    <Dialog title="Revoke an API key" onClose={onClose}>
      <RevokeForm
        apiKey={apiKey}
        successor={successor}
        advice="To replace it without an interruption, rotate it instead."
        onRevoked={() => {
          announce(`Key “${apiKey.name}” is revoked.`);
          onClose();
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}

function RevokedAlready({ apiKey: { name, revoked, revoked_by }, onClose }: Omit<RevokeDialogProps, "successor">) {
  return (
    <Dialog title="This key is revoked" onClose={onClose}>
      <Text role="status" className="breakable">
        “{name}” was revoked{revoked_by !== null && ` by ${revoked_by}`}{" "}
        {revoked !== null && <RelativeTime instant={revoked} />}. Nothing is left to do.
      </Text>
      <Group justify="flex-end" mt="md">
        <Button data-autofocus onClick={onClose}>
          Close
        </Button>
      </Group>
    </Dialog>
  );
}

interface RevokeFormProps {
  apiKey: ApiKey;
  successor: ApiKey | null;
  /** What to do about a key that is in use. */
  advice: string;
  onRevoked: () => void;
  onCancel: () => void;
}

/** Revokes a key. If the key was used in the last 24 hours, the person must type its name: a system probably still depends on it. */
export function RevokeForm({ apiKey, successor, advice, onRevoked, onCancel }: RevokeFormProps) {
  const { api, person } = useAdmin();
  const client = useQueryClient();
  const now = useNow();
  const [typed, setTyped] = useState("");
  const mustType = usedWithinADay(apiKey, now);
  const confirmed = !mustType || confirms(typed, apiKey);

  const { busy, error, unanswered, send } = useSending(async (id: string) => {
    const revoked = await api.revokeKey(id);
    showApiKey(client, revoked);
    // If somebody else was faster, the dialog says so.
    if (revoked.revoked_by === person.email) onRevoked();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (confirmed) void send(apiKey.id);
  };
  return (
    <form onSubmit={submit} noValidate aria-busy={busy}>
      <Stack>
        <KeyFacts apiKey={apiKey} successor={successor} />
        {mustType && <TypedConfirmation advice={advice} apiKey={apiKey} typed={typed} onType={setTyped} />}
        {error &&
          (unanswered === null ? (
            <ErrorNotice title="The key was not revoked" error={error} />
          ) : (
            <Unanswered error={error} />
          ))}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel} data-autofocus={!mustType || undefined}>
            {unanswered === null ? "Keep the key" : "Close"}
          </Button>
          <Button type="submit" color="red" maw="100%" loading={busy} disabled={!confirmed}>
            {unanswered === null ? `Revoke “${apiKey.name}”` : "Try again"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** After a revocation without a response: the list, which is loaded anew, says what is known. */
function Unanswered({ error }: { error: Error }) {
  const { isFetching, isError } = useApiKeys();
  return <ErrorNotice title="It is not known whether the key was revoked" error={error} advice={advice()} />;

  function advice(): string {
    if (isFetching) return "Checking whether it is…";
    if (isError) return "The list of keys could not be loaded either. Try again: revoking a key twice does no harm.";
    return "According to the list, the key is still active. Try again.";
  }
}

function KeyFacts({ apiKey, successor }: { apiKey: ApiKey; successor: ApiKey | null }) {
  const stops = scopes.filter(({ scope }) => apiKey.scopes.includes(scope)).map((scope) => scope.stops);
  return (
    <>
      <dl className="key-facts">
        <dt>Name</dt>
        <dd className="key-name">{apiKey.name}</dd>
        <dt>Prefix</dt>
        <dd>
          <code>{apiKey.prefix}</code>
        </dd>
        <dt>Last used</dt>
        <dd>
          <LastUse apiKey={apiKey} />
        </dd>
      </dl>
      <div>
        <Text fw={600} size="sm" id="what-stops">
          What stops working
        </Text>
        <ul aria-labelledby="what-stops" className="what-stops">
          {successor ? (
            <li>Only what still uses the old key. What uses “{successor.name}” keeps working.</li>
          ) : (
            stops.map((sentence) => <li key={sentence}>{sentence}</li>)
          )}
        </ul>
        <Text size="sm">
          Requests with this key get <code>401 Unauthorized</code> at once. This cannot be undone.
        </Text>
      </div>
    </>
  );
}

interface TypedConfirmationProps {
  advice: string;
  apiKey: ApiKey;
  typed: string;
  onType: (typed: string) => void;
}

function TypedConfirmation({ advice, apiKey, typed, onType }: TypedConfirmationProps) {
  const { name, prefix } = apiKey;
  const hasName = isTypeable(name);
  return (
    <>
      <Alert color="yellow" title="This key is in use">
        It was used in the last 24 hours. {advice}
      </Alert>
      <TextInput
        label={
          <>
            Type <code className="key-name">{hasName ? name : prefix}</code> to confirm
          </>
        }
        description={
          hasName && (
            <>
              Or type the key's prefix, <code>{prefix}</code>.
            </>
          )
        }
        value={typed}
        onChange={(event) => onType(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
    </>
  );
}
