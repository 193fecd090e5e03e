import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { showApiKey, useApiKeys, useSending } from "../api/queries.ts";
import type { ApiKey } from "../api/schemas.ts";
import { Dialog } from "../parts/Dialog.tsx";
import { useNow } from "../parts/hooks.ts";
import { exactTime, RelativeTime } from "../parts/Labels.tsx";
import { ErrorNotice } from "../parts/Notices.tsx";
import { useAdmin } from "../session/admin.ts";
import { LastUse } from "./KeyLabels.tsx";
import { confirms, isTypeable, scopes, usedWithinADay } from "./keyRules.ts";
import { choose, moments, timeOf, WhenField } from "./PlannedRevocation.tsx";

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
        onDone={(changed) => {
          announce(outcomeOf(changed));
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
  onDone: (changed: ApiKey) => void;
  onCancel: () => void;
}

interface Request {
  /** Null withdraws the plan; without a time, now. */
  at?: string | null;
}

/** Revokes a key now, or plans it. If the key was used in the last 24 hours, the person must type its name: a system probably still depends on it. */
export function RevokeForm({ apiKey, successor, advice, onDone, onCancel }: RevokeFormProps) {
  const { api, person } = useAdmin();
  const client = useQueryClient();
  const now = useNow();
  const [typed, setTyped] = useState("");
  const [when, setWhen] = useState(choose("now"));
  const [submitted, setSubmitted] = useState(false);
  const [isPlan, setIsPlan] = useState(false);
  const isNow = when.choice === "now";
  const mustType = isNow && usedWithinADay(apiKey, now);
  const confirmed = !mustType || confirms(typed, apiKey);

  const { busy, error, unanswered, send } = useSending(async ({ at }: Request) => {
    setSubmitted(true);
    setIsPlan(at !== undefined);
    const changed = await api.revokeKey(apiKey.id, at);
    showApiKey(client, changed);
    // If somebody else was faster, the dialog says so.
    if (changed.status === "active" || changed.revoked_by === person.email) onDone(changed);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSubmitted(true);
    const { time, problem } = timeOf(when);
    if (confirmed && !problem) void send({ at: time });
  };
  return (
    <form onSubmit={submit} noValidate aria-busy={busy}>
      <Stack>
        <KeyFacts apiKey={apiKey} successor={successor} isNow={isNow} />
        {apiKey.revokes_at !== null && (
          <Planned at={apiKey.revokes_at} busy={busy} onWithdraw={() => void send({ at: null })} />
        )}
        <WhenField
          label="When?"
          choices={moments}
          when={when}
          onChange={setWhen}
          error={submitted ? (timeOf(when).problem ?? null) : null}
        />
        {mustType && (
          <TypedConfirmation
            title="This key is in use"
            advice={`It was used in the last 24 hours. ${advice}`}
            name={isTypeable(apiKey.name) ? apiKey.name : null}
            alternative={apiKey.prefix}
            typed={typed}
            onType={setTyped}
          />
        )}
        {error &&
          (unanswered === null ? (
            <ErrorNotice title={isPlan ? "The plan was not changed" : "The key was not revoked"} error={error} />
          ) : (
            <Unanswered apiKey={apiKey} isPlan={isPlan} error={error} />
          ))}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel} data-autofocus={!mustType || undefined}>
            {unanswered === null ? "Keep the key" : "Close"}
          </Button>
          <Button type="submit" color="red" maw="100%" loading={busy} disabled={!confirmed}>
            {unanswered === null ? `${isNow ? "Revoke" : "Plan to revoke"} “${apiKey.name}”` : "Try again"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export function outcomeOf({ name, status, revokes_at }: ApiKey): string {
  if (status === "revoked") return `Key “${name}” is revoked.`;
  return revokes_at === null
    ? `Key “${name}” works until somebody revokes it.`
    : `Key “${name}” will be revoked on ${exactTime(revokes_at)}.`;
}

function Planned({ at, busy, onWithdraw }: { at: string; busy: boolean; onWithdraw: () => void }) {
  return (
    <Alert color="yellow" title={`Planned for ${exactTime(at)}`}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">Choose another time to move it, or withdraw it.</Text>
        <Button variant="default" size="xs" disabled={busy} onClick={onWithdraw}>
          Withdraw the planned revocation
        </Button>
      </Stack>
    </Alert>
  );
}

/** After a request without a response: the list, which is loaded anew, says what is known. */
function Unanswered({ apiKey: { revokes_at }, isPlan, error }: { apiKey: ApiKey; isPlan: boolean; error: Error }) {
  const { isFetching, isError } = useApiKeys();
  const what = isPlan ? "the plan was changed" : "the key was revoked";
  return <ErrorNotice title={`It is not known whether ${what}`} error={error} advice={advice()} />;

  function advice(): string {
    if (isFetching) return "Checking whether it is…";
    if (isError) return "The list of keys could not be loaded either. Try again: doing it twice does no harm.";
    const plan = revokes_at === null ? "no revocation is planned" : `it will be revoked on ${exactTime(revokes_at)}`;
    return `According to the list, the key is still active${isPlan ? `, and ${plan}` : ""}. Try again.`;
  }
}

interface RevokedFactsProps {
  apiKey: ApiKey;
  successor: ApiKey | null;
  isNow: boolean;
}

function KeyFacts({ apiKey, successor, isNow }: RevokedFactsProps) {
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
          Requests with this key get <code>401 Unauthorized</code> {isNow ? "at once" : "from then on"}.{" "}
          {isNow ? "This cannot be undone." : "Until then, you can move or withdraw the plan."}
        </Text>
      </div>
    </>
  );
}

interface TypedConfirmationProps {
  title: string;
  advice: string;
  /** Null if a keyboard cannot type it. */
  name: string | null;
  /** What may be typed instead, such as a key's prefix. */
  alternative: string;
  typed: string;
  onType: (typed: string) => void;
}

/** Asks for the name of what a system probably depends on. */
export function TypedConfirmation({ title, advice, name, alternative, typed, onType }: TypedConfirmationProps) {
  return (
    <>
      <Alert color="yellow" title={title}>
        {advice}
      </Alert>
      <TextInput
        label={
          <>
            Type <code className="key-name">{name ?? alternative}</code> to confirm
          </>
        }
        description={
          name !== null &&
          name !== alternative && (
            <>
              Or type <code>{alternative}</code>.
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
