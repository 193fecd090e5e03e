import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { bodyOf } from "../api/adminApi.ts";
import { useApiKeys } from "../api/queries.ts";
import type { ApiKey } from "../api/types.ts";
import { Dialog } from "../parts/Dialog.tsx";
import { TypedConfirmation, WhenField } from "../parts/Forms.tsx";
import { useNow } from "../parts/hooks.ts";
import { Facts } from "../parts/ItemPage.tsx";
import { exactTime, RelativeTime } from "../parts/Labels.tsx";
import { WriteForm } from "../parts/WriteForm.tsx";
import { choose } from "../parts/when.ts";
import { useAdmin } from "../session/admin.ts";
import { LastUse } from "./KeyLabels.tsx";
import { confirms, isTypeable, moments, revocationTimeOf, scopes, usedWithinADay } from "./keyRules.ts";

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

const isNow = ({ at }: { at: { choice: string } }) => at.choice === "now";

/** Revokes a key now, or plans it. If the key was used in the last 24 hours, the person must type its name: a system probably still depends on it. */
export function RevokeForm({ apiKey, successor, advice, onDone, onCancel }: RevokeFormProps) {
  const { api, person, showKey } = useAdmin();
  const inUse = usedWithinADay(apiKey, useNow());
  const [isPlan, setPlan] = useState(false);
  const { id, name, prefix, revokes_at } = apiKey;
  return (
    <WriteForm
      initial={{ at: choose("now"), typed: "" }}
      validate={({ at }) => ({ at: revocationTimeOf(at).problem })}
      onSend={async (values) => {
        setPlan(!isNow(values));
        // Without a time, the plan is withdrawn.
        const body = isNow(values) ? {} : { body: { at: revocationTimeOf(values.at).time ?? null } };
        const changed = await bodyOf(api.POST("/admin/api-keys/{id}/revoke", { params: { path: { id } }, ...body }));
        showKey(changed);
        // If somebody else was faster, the dialog says so.
        if (changed.status === "active" || changed.revoked_by === person.email) onDone(changed);
      }}
      action={(values) => `${isNow(values) ? "Revoke" : "Plan to revoke"} “${name}”`}
      color="red"
      isLocked={(values) => inUse && isNow(values) && !confirms(values.typed, apiKey)}
      what={isPlan ? "the plan was changed" : "the key was revoked"}
      advice={<ListSays revokes_at={revokes_at} isPlan={isPlan} />}
      keep="Keep the key"
      onCancel={onCancel}
    >
      {({ values, busy, send, getInputProps }) => (
        <>
          <WhatStops apiKey={apiKey} successor={successor} isNow={isNow(values)} />
          {revokes_at !== null && (
            <Planned at={revokes_at} busy={busy} onWithdraw={() => void send({ ...values, at: choose("withdraw") })} />
          )}
          <WhenField label="When?" choices={moments} {...getInputProps("at")} />
          {inUse && isNow(values) && (
            <TypedConfirmation
              title="This key is in use"
              advice={`It was used in the last 24 hours. ${advice}`}
              name={isTypeable(name) ? name : null}
              alternative={prefix}
              {...getInputProps("typed")}
            />
          )}
        </>
      )}
    </WriteForm>
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

/** After a request without a response: what the list, which is loaded anew, says. */
function ListSays({ revokes_at, isPlan }: { revokes_at: string | null; isPlan: boolean }) {
  const { isFetching, isError } = useApiKeys();
  if (isFetching) return "Checking whether it is…";
  if (isError) return "The list of keys could not be loaded either. Try again: doing it twice does no harm.";
  const plan = revokes_at === null ? "no revocation is planned" : `it will be revoked on ${exactTime(revokes_at)}`;
  return `According to the list, the key is still active${isPlan ? `, and ${plan}` : ""}. Try again.`;
}

interface RevokedFactsProps {
  apiKey: ApiKey;
  successor: ApiKey | null;
  isNow: boolean;
}

function WhatStops({ apiKey, successor, isNow }: RevokedFactsProps) {
  const stops = scopes.filter(({ scope }) => apiKey.scopes.includes(scope)).map((scope) => scope.stops);
  return (
    <>
      <Facts
        facts={{
          Name: <span className="key-name">{apiKey.name}</span>,
          Prefix: <code>{apiKey.prefix}</code>,
          "Last used": <LastUse apiKey={apiKey} />,
        }}
      />
      <div>
        <Text fw={600} size="sm" id="what-stops">
          What stops working
        </Text>
        <Text component="ul" size="sm" my="xs" pl="lg" aria-labelledby="what-stops">
          {successor ? (
            <li>Only what still uses the old key. What uses “{successor.name}” keeps working.</li>
          ) : (
            stops.map((sentence) => <li key={sentence}>{sentence}</li>)
          )}
        </Text>
        <Text size="sm">
          Requests with this key get <code>401 Unauthorized</code> {isNow ? "at once" : "from then on"}.{" "}
          {isNow ? "This cannot be undone." : "Until then, you can move or withdraw the plan."}
        </Text>
      </div>
    </>
  );
}
