import { Button, Group, Text } from "@mantine/core";
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
import { confirms, isTypeable, moments, plans, revocationTimeOf, scopes, usedWithinADay } from "./keyRules.ts";

interface RevokeDialogProps {
  apiKey: ApiKey;
  /** The active key that replaces it, if any. */
  successor: ApiKey | null;
  onClose: () => void;
}

export function RevokeDialog({ apiKey, successor, onClose }: RevokeDialogProps) {
  const finish = useFinish(onClose);
  if (apiKey.status === "revoked") return <RevokedAlready apiKey={apiKey} onClose={onClose} />;
  return (
    <Dialog title="Revoke an API key" onClose={onClose}>
      <RevokeForm
        apiKey={apiKey}
        successor={successor}
        advice="To replace it without an interruption, rotate it instead."
        onDone={finish}
        onCancel={onClose}
      />
    </Dialog>
  );
}

export const PlanDialog = (props: RevokeDialogProps) => <EndDialog {...props} isWithdrawn={false} />;
export const WithdrawDialog = (props: RevokeDialogProps) => <EndDialog {...props} isWithdrawn />;

/** Moves or withdraws a planned revocation. */
function EndDialog({ apiKey, onClose, isWithdrawn }: RevokeDialogProps & { isWithdrawn: boolean }) {
  const { name, status, revokes_at } = apiKey;
  const send = useRevocation(apiKey, useFinish(onClose));
  if (status === "revoked") return <RevokedAlready apiKey={apiKey} onClose={onClose} />;
  const end = revokes_at === null ? "has no planned end" : `ends on ${exactTime(revokes_at)}`;
  return (
    <Dialog title={isWithdrawn ? "Withdraw the planned revocation" : "Change when the key ends"} onClose={onClose}>
      <WriteForm
        initial={{ at: choose(isWithdrawn ? "never" : "at") }}
        validate={({ at }) => ({ at: revocationTimeOf(at).problem })}
        onSend={({ at }) => send({ at: revocationTimeOf(at).time ?? null })}
        action={isWithdrawn ? "Withdraw" : "Change the end"}
        what="the plan was changed"
        advice={<ListSays revokes_at={revokes_at} isPlan />}
        unsaved="The new end is not saved."
      >
        {({ getInputProps }) => (
          <>
            <Text size="sm" className="breakable">
              “{name}” {end}. {isWithdrawn && "Without that, it works until somebody revokes it."}
            </Text>
            {!isWithdrawn && <WhenField label="New end" choices={plans} {...getInputProps("at")} />}
          </>
        )}
      </WriteForm>
    </Dialog>
  );
}

/** Reports a change of a key, and closes the dialog. */
function useFinish(onClose: () => void) {
  const { announce } = useAdmin();
  return (changed: ApiKey) => {
    announce(outcomeOf(changed));
    onClose();
  };
}

/** Revokes a key now, or plans, moves or withdraws (null) its revocation. */
function useRevocation({ id }: ApiKey, onDone: (changed: ApiKey) => void) {
  const { api, person, showKey } = useAdmin();
  return async (body?: { at: string | null }) => {
    const params = { path: { id } };
    const changed = await bodyOf(api.POST("/admin/api-keys/{id}/revoke", { params, ...(body && { body }) }));
    showKey(changed);
    // If somebody else was faster, the dialog says so.
    if (changed.status === "active" || changed.revoked_by === person.email) onDone(changed);
  };
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

interface RevokeFormProps extends Omit<RevokeDialogProps, "onClose"> {
  /** What to do about a key that is in use. */
  advice: string;
  onDone: (changed: ApiKey) => void;
  onCancel: () => void;
}

const isNow = ({ at }: { at: { choice: string } }) => at.choice === "now";

/** Revokes a key now, or plans it. If the key was used in the last 24 hours, the person must type its name: a system probably still depends on it. */
export function RevokeForm({ apiKey, successor, advice, onDone, onCancel }: RevokeFormProps) {
  const revoke = useRevocation(apiKey, onDone);
  const inUse = usedWithinADay(apiKey, useNow());
  const [isPlan, setPlan] = useState(false);
  const { name, prefix, revokes_at } = apiKey;
  return (
    <WriteForm
      initial={{ at: choose("now"), typed: "" }}
      validate={({ at }) => ({ at: revocationTimeOf(at).problem })}
      onSend={async (values) => {
        setPlan(!isNow(values));
        await revoke(isNow(values) ? undefined : { at: revocationTimeOf(values.at).time ?? null });
      }}
      action={(values) => `${isNow(values) ? "Revoke" : "Plan to revoke"} “${name}”`}
      color="red"
      isLocked={(values) => inUse && isNow(values) && !confirms(values.typed, apiKey)}
      what={isPlan ? "the plan was changed" : "the key was revoked"}
      advice={<ListSays revokes_at={revokes_at} isPlan={isPlan} />}
      keep="Change nothing"
      onCancel={onCancel}
    >
      {({ values, getInputProps }) => (
        <>
          <WhatStops apiKey={apiKey} successor={successor} isNow={isNow(values)} />
          {revokes_at !== null && (
            <Text size="sm">
              Its end is planned for {exactTime(revokes_at)}. The key's page withdraws that: “Change nothing” does not.
            </Text>
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

/** After a request without a response: what the list, which is loaded anew, says. */
function ListSays({ revokes_at, isPlan }: { revokes_at: string | null; isPlan: boolean }) {
  const { isFetching, isError } = useApiKeys();
  if (isFetching) return "Checking whether it is…";
  if (isError) return "The list of keys could not be loaded either. Try again: doing it twice does no harm.";
  const plan = revokes_at === null ? "no revocation is planned" : `it will be revoked on ${exactTime(revokes_at)}`;
  return `According to the list, the key is still active${isPlan ? `, and ${plan}` : ""}. Try again.`;
}

function WhatStops({ apiKey, successor, isNow }: Omit<RevokeDialogProps, "onClose"> & { isNow: boolean }) {
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
          {isNow ? "This cannot be undone." : "Until then, you can change or withdraw the plan on the key's page."}
        </Text>
      </div>
    </>
  );
}
