import { Button, Group, Text } from "@mantine/core";
import { bodyOf } from "../api/adminApi.ts";
import { useApiKeys } from "../api/queries.ts";
import type { ApiKey } from "../api/types.ts";
import { Dialog } from "../parts/Dialog.tsx";
import { TypedConfirmation } from "../parts/Forms.tsx";
import { useNow } from "../parts/hooks.ts";
import { Facts } from "../parts/ItemPage.tsx";
import { RelativeTime } from "../parts/Labels.tsx";
import { isWithinADay } from "../parts/relativeTime.ts";
import { WriteForm } from "../parts/WriteForm.tsx";
import { useAdmin } from "../session/admin.ts";
import { LastUse } from "./KeyLabels.tsx";
import { confirms, scopes } from "./keyRules.ts";

/** If the key was used in the last 24 hours, the person must type its name: a system probably still depends on it. */
export function RevokeDialog({ apiKey }: { apiKey: ApiKey }) {
  const { api, person, done, showKey } = useAdmin();
  const inUse = isWithinADay(apiKey.last_used, useNow());
  if (apiKey.status === "revoked") return <RevokedAlready apiKey={apiKey} />;
  const { id, name, prefix } = apiKey;
  return (
    <Dialog title="Revoke an API key">
      <WriteForm
        initial={{ typed: "" }}
        onSend={async () => {
          const revoked = await bodyOf(api.POST("/admin/api-keys/{id}/revoke", { params: { path: { id } } }));
          showKey(revoked);
          // Otherwise, the dialog shows who else revoked it.
          if (revoked.revoked_by === person.email) done(`Key “${name}” is revoked.`);
        }}
        action={`Revoke “${name}”`}
        color="red"
        isLocked={({ typed }) => inUse && !confirms(typed, apiKey)}
        outcome={{ done: "the key was revoked", failed: "The key was not revoked" }}
        advice={<PresentState />}
        keep="Keep the key"
      >
        {({ getInputProps }) => (
          <>
            <WhatStops apiKey={apiKey} />
            {inUse && (
              <TypedConfirmation
                title="This key is in use"
                advice="It was used in the last 24 hours. To replace it without an interruption, rotate it first."
                name={name}
                alternative={prefix}
                {...getInputProps("typed")}
              />
            )}
          </>
        )}
      </WriteForm>
    </Dialog>
  );
}

function RevokedAlready({ apiKey: { name, revoked, revoked_by } }: { apiKey: ApiKey }) {
  const { done } = useAdmin();
  return (
    <Dialog title="This key is revoked">
      <Text role="status" className="breakable">
        “{name}” was revoked{revoked_by !== null && ` by ${revoked_by}`}{" "}
        {revoked !== null && <RelativeTime instant={revoked} />}.
      </Text>
      <Group justify="flex-end" mt="md">
        <Button data-autofocus onClick={() => done()}>
          Close
        </Button>
      </Group>
    </Dialog>
  );
}

/** After a request without a response: the list is refreshed, and a revoked key gets a different dialog. */
function PresentState() {
  const { isFetching, isError } = useApiKeys();
  if (isFetching) return "Checking whether the key is still active…";
  if (isError) return "The list of keys could not be loaded either. Try again: revoking a key twice does no harm.";
  return "The key is still active. Try again.";
}

function WhatStops({ apiKey }: { apiKey: ApiKey }) {
  return (
    <>
      <Facts
        facts={{
          Name: <span className="key-name">{apiKey.name}</span>,
          Prefix: <code>{apiKey.prefix}</code>,
          Created: <RelativeTime instant={apiKey.created} />,
          "Last used": <LastUse apiKey={apiKey} />,
        }}
      />
      <div>
        <Text fw={600} size="sm" id="what-stops">
          What stops working
        </Text>
        <Text component="ul" size="sm" my="xs" pl="lg" aria-labelledby="what-stops">
          {scopes
            .filter(({ scope }) => apiKey.scopes.includes(scope))
            .map(({ stops }) => (
              <li key={stops}>{stops}</li>
            ))}
        </Text>
        <Text size="sm">
          Requests with this key immediately get <code>401 Unauthorized</code>. This cannot be undone.
        </Text>
      </div>
    </>
  );
}
