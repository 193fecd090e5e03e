import { Alert, Text } from "@mantine/core";
import { useState } from "react";
import { ApiError, bodyOf } from "../api/adminApi.ts";
import { useWebhooks } from "../api/queries.ts";
import type { Webhook, WebhookTest, WebhookUpdate } from "../api/types.ts";
import { confirms } from "../keys/keyRules.ts";
import { Dialog } from "../parts/Dialog.tsx";
import { TypedConfirmation } from "../parts/Forms.tsx";
import { useNow } from "../parts/hooks.ts";
import { exactTime } from "../parts/Labels.tsx";
import { isWithinADay } from "../parts/relativeTime.ts";
import { WriteForm } from "../parts/WriteForm.tsx";
import { useAdmin } from "../session/admin.ts";
import { RefusedAdvice } from "./RefusedAdvice.tsx";
import { ReplayForm } from "./ReplayForm.tsx";
import { WebhookForm, WebhookSecret } from "./WebhookForm.tsx";
import { answerOf, earlierSecretUntil, hostOf, nameOf } from "./webhookRules.ts";

const dialogs = {
  test: { title: "Test the webhook", Content: TestForm },
  edit: { title: "Edit the webhook", Content: EditForm },
  replay: { title: "Send changes again", Content: ReplayForm },
  rotate: { title: "Rotate the signing secret", Content: RotateForm },
  endEarlierSecret: { title: "End the earlier secret", Content: EndEarlierSecretForm },
  delete: { title: "Delete the webhook", Content: DeleteForm },
};

/** Shows the webhook as it is now. */
export function WebhookDialog({ kind, webhookId }: { kind: keyof typeof dialogs; webhookId: string }) {
  const webhook = useWebhooks().data?.find(({ id }) => id === webhookId);
  const { title, Content } = dialogs[kind];
  return (
    webhook && (
      <Dialog title={title}>
        <Content webhook={webhook} />
      </Dialog>
    )
  );
}

function TestForm({ webhook: { id, url } }: { webhook: Webhook }) {
  const { api } = useAdmin();
  const [result, setResult] = useState<WebhookTest | null>(null);
  return (
    <WriteForm
      initial={{}}
      onSend={async (_, known) => {
        // The outcome of an earlier message no longer matters.
        known();
        setResult(null);
        setResult(await bodyOf(api.POST("/admin/webhooks/{id}/test", { params: { path: { id } } })));
      }}
      action={result ? "Send again" : "Send a test message"}
      keep={result ? "Close" : undefined}
      retry="Send again"
      outcome={{ done: "the test message was received", failed: "The test message was not received" }}
      advice="The receiver may have got it. A test changes nothing, so you can send another."
    >
      <Text size="sm" className="breakable">
        Sends a signed message of the type <code>test</code> to {url}, and shows what the receiver responds.
      </Text>
      <div role="status">
        {result && (
          <Alert {...outcomeOf(result)}>
            <Text size="sm">{answerOf(result)}</Text>
            {result.status === 400 && <RefusedAdvice />}
            {result.response !== "" && (
              <Text component="pre" size="xs" className="key-name">
                {result.response}
              </Text>
            )}
          </Alert>
        )}
      </div>
    </WriteForm>
  );
}

function outcomeOf({ status, sent }: WebhookTest): { color: string; title: string } {
  if (status === null && sent) return { color: "yellow", title: "It is not known whether the receiver got it" };
  if (status === null) return { color: "red", title: "The message did not reach the receiver" };
  return status >= 200 && status < 300
    ? { color: "teal", title: "The receiver accepted it" }
    : { color: "yellow", title: "The receiver did not accept it" };
}

/** Changes a webhook, says so, and closes the dialog. */
function useUpdate({ id }: Webhook) {
  const { api, done, showWebhook } = useAdmin();
  return async (body: WebhookUpdate, outcome: string) => {
    showWebhook(id, await bodyOf(api.PATCH("/admin/webhooks/{id}", { params: { path: { id } }, body })));
    done(outcome);
  };
}

function EditForm({ webhook }: { webhook: Webhook }) {
  const update = useUpdate(webhook);
  return (
    <WebhookForm
      initial={webhook}
      onSend={(settings) => update(settings, "The webhook was changed.")}
      action="Save"
      outcome={{ done: "the webhook was changed", failed: "The webhook was not changed" }}
      advice="Try again: saving it twice does no harm."
    />
  );
}

function RotateForm({ webhook }: { webhook: Webhook }) {
  const { api, done, showWebhook } = useAdmin();
  const [secret, setSecret] = useState<string | null>(null);
  const [requestId] = useState(() => crypto.randomUUID());
  const bothSignUntil = earlierSecretUntil(webhook, useNow());
  if (secret !== null) return <WebhookSecret secret={secret} onStored={() => done()} />;
  const { id } = webhook;
  return (
    <WriteForm
      initial={{}}
      onSend={async (_, known) => {
        const params = { path: { id }, header: { "Idempotency-Key": requestId } };
        const response = api.POST("/admin/webhooks/{id}/rotate-secret", { params });
        const { secret, ...rotated } = await bodyOf(response).catch((failure) => {
          // A conflict is known: this request's secret does not sign.
          if (failure instanceof ApiError && failure.status === 409) known();
          throw failure;
        });
        setSecret(secret);
        showWebhook(id, rotated);
      }}
      action="Make a new secret"
      outcome={{ done: "the webhook was given a new secret", failed: "The webhook was not given a new secret" }}
      advice="Try again: you get the same secret, never another one."
      pending="A new secret is being made, and only this page can show it."
    >
      <Text size="sm">
        For 24 hours, messages to “{nameOf(webhook)}” are signed with both secrets. Give the receiver the new one within
        that time.
      </Text>
      {bothSignUntil !== null && (
        <Alert color="yellow" title={`Messages are signed with both secrets until ${exactTime(bothSignUntil)}`}>
          To rotate again before then, end the earlier secret first.
        </Alert>
      )}
    </WriteForm>
  );
}

function EndEarlierSecretForm({ webhook }: { webhook: Webhook }) {
  const update = useUpdate(webhook);
  return (
    <WriteForm
      initial={{}}
      onSend={() => update({ earlier_secret_until: null }, "The earlier secret has ended.")}
      action="End the earlier secret"
      color="red"
      outcome={{ done: "the webhook was changed", failed: "The webhook was not changed" }}
      advice="Try again: doing it twice does no harm."
    >
      <Text size="sm">
        Messages to “{nameOf(webhook)}” will be signed only with the current secret. A receiver that still has the
        earlier one will reject them. This cannot be undone.
      </Text>
    </WriteForm>
  );
}

function DeleteForm({ webhook }: { webhook: Webhook }) {
  const { api, done, showWebhook } = useAdmin();
  const { id, url } = webhook;
  const name = nameOf(webhook);
  const mustType = isWithinADay(webhook.delivered_until, useNow());
  return (
    <WriteForm
      initial={{ typed: "" }}
      onSend={async () => {
        // After a lost response, the webhook may be gone.
        await api.DELETE("/admin/webhooks/{id}", { params: { path: { id } } }).catch((failure) => {
          if (!(failure instanceof ApiError && failure.status === 404)) throw failure;
        });
        done(`The webhook “${name}” is deleted.`);
        location.hash = "webhooks";
        showWebhook(id, null);
      }}
      action={`Delete “${name}”`}
      color="red"
      isLocked={({ typed }) => mustType && !confirms(typed, { name, prefix: hostOf(url) })}
      outcome={{ done: "the webhook was deleted", failed: "The webhook was not deleted" }}
      advice="Try again: deleting it twice does no harm."
    >
      {(form) => (
        <>
          <Text size="sm" className="breakable">
            The receiver at {url} gets no further messages. This cannot be undone. To stop messages for a while, pause
            the webhook instead.
          </Text>
          {mustType && (
            <TypedConfirmation
              title="This webhook is in use"
              advice="It delivered a change from the last 24 hours."
              name={name}
              alternative={hostOf(url)}
              {...form.getInputProps("typed")}
            />
          )}
        </>
      )}
    </WriteForm>
  );
}
