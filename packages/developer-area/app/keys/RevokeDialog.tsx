import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { fieldError } from "../api/adminApi.ts";
import { showApiKey, useApiKeys, useSending } from "../api/queries.ts";
import type { ApiKey } from "../api/schemas.ts";
import { Dialog } from "../parts/Dialog.tsx";
import { TypedConfirmation } from "../parts/Forms.tsx";
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
  const [asked, setAsked] = useState<Request>({});
  const isPlan = asked.at !== undefined;
  const isNow = when.choice === "now";
  const mustType = isNow && usedWithinADay(apiKey, now);
  const confirmed = !mustType || confirms(typed, apiKey);

  const { busy, error, unanswered, send } = useSending(async (request: Request) => {
    setAsked(request);
    const changed = await api.revokeKey(apiKey.id, request.at);
    showApiKey(client, changed);
    // If somebody else was faster, the dialog says so.
    if (changed.status === "active" || changed.revoked_by === person.email) onDone(changed);
  });
  const { time, problem = null } = timeOf(when);
  const refusal = time === asked.at ? fieldError(error, "/at") : null;
  // Another choice is another request, which the button must name.
  const isRetry = unanswered !== null && unanswered.at === time;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSubmitted(true);
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
          error={submitted ? (problem ?? refusal) : null}
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
        {error && <Failure apiKey={apiKey} isPlan={isPlan} isUncertain={unanswered !== null} error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel} data-autofocus={!mustType || undefined}>
            {unanswered === null ? "Keep the key" : "Close"}
          </Button>
          <Button type="submit" color="red" maw="100%" loading={busy} disabled={!confirmed}>
            {isRetry ? "Try again" : `${isNow ? "Revoke" : "Plan to revoke"} “${apiKey.name}”`}
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

interface FailureProps {
  apiKey: ApiKey;
  isPlan: boolean;
  /** Whether the request may have succeeded, because no response said whether it did. */
  isUncertain: boolean;
  error: Error;
}

/** Why nothing was done. After a request without a response, the list, which is loaded anew, says what is known. */
function Failure({ apiKey: { revokes_at }, isPlan, isUncertain, error }: FailureProps) {
  const { isFetching, isError } = useApiKeys();
  if (!isUncertain)
    return <ErrorNotice title={isPlan ? "The plan was not changed" : "The key was not revoked"} error={error} />;
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
