import { Alert, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../api/adminApi.ts";
import { showWebhook, useSending, useWebhooks } from "../api/queries.ts";
import { Webhook, type WebhookTest } from "../api/schemas.ts";
import { confirms } from "../keys/keyRules.ts";
import { Dialog } from "../parts/Dialog.tsx";
import { ActionForm, TypedConfirmation } from "../parts/Forms.tsx";
import { useNow } from "../parts/hooks.ts";
import { exactTime } from "../parts/Labels.tsx";
import { ErrorNotice } from "../parts/Notices.tsx";
import { useAdmin, useLoss } from "../session/admin.ts";
import { ReplayForm } from "./ReplayForm.tsx";
import { CreateWebhook, EditWebhook, Outcome, WebhookSecret } from "./WebhookForm.tsx";
import { answerOf, earlierSecretUntil, hostOf, isInUse, nameOf, type OpenWebhookDialog } from "./webhookRules.ts";

interface WebhookDialogProps {
  dialog: OpenWebhookDialog | null;
  onClose: () => void;
}

interface ContentProps {
  webhook: Webhook;
  onDone: () => void;
}

const titles: Record<keyof typeof contents, string> = {
  test: "Test the webhook",
  edit: "Edit the webhook",
  replay: "Send changes again",
  rotate: "Rotate the signing secret",
  endEarlierSecret: "End the earlier secret",
  delete: "Delete the webhook",
};

const contents = {
  test: TestForm,
  edit: EditWebhook,
  replay: ReplayForm,
  rotate: RotateForm,
  endEarlierSecret: EndEarlierSecretForm,
  delete: DeleteForm,
};

/** The open dialog about a webhook, if any. */
export function WebhookDialog({ dialog, onClose }: WebhookDialogProps) {
  const { data: webhooks = [] } = useWebhooks(dialog !== null);
  if (dialog === null) return null;
  if (dialog.kind === "create") {
    return (
      <Dialog title="Create a webhook" onClose={onClose}>
        <CreateWebhook onDone={onClose} />
      </Dialog>
    );
  }
  const webhook = webhooks.find(({ id }) => id === dialog.id);
  if (!webhook) return null;
  const Content = contents[dialog.kind];
  return (
    <Dialog title={titles[dialog.kind]} onClose={onClose}>
      <Content webhook={webhook} onDone={onClose} />
    </Dialog>
  );
}

function TestForm({ webhook: { id, url } }: ContentProps) {
  const { api } = useAdmin();
  const [result, setResult] = useState<WebhookTest | null>(null);
  const { busy, error, send } = useSending(async () => setResult(await api.testWebhook(id)));
  const isGood = result?.status != null && result.status >= 200 && result.status < 300;
  return (
    <ActionForm
      action={result ? "Send again" : "Send a test message"}
      busy={busy}
      onSubmit={() => void send(undefined)}
    >
      <Text size="sm" className="breakable">
        Sends a signed message of the type <code>test</code> to {url}, and shows what the receiver responds.
      </Text>
      <div role="status">
        {result && (
          <Alert
            color={isGood ? "teal" : "yellow"}
            title={isGood ? "The receiver accepted it" : "The receiver did not accept it"}
          >
            <Text size="sm">{answerOf(result)}</Text>
            {result.response !== "" && <pre className="receiver-response">{result.response}</pre>}
          </Alert>
        )}
      </div>
      {error && <ErrorNotice title="The test was not made" error={error} />}
    </ActionForm>
  );
}

function RotateForm({ webhook, onDone }: ContentProps) {
  const { api } = useAdmin();
  const client = useQueryClient();
  const [secret, setSecret] = useState<string | null>(null);
  const [requestId] = useState(() => crypto.randomUUID());
  const bothSignUntil = earlierSecretUntil(webhook, useNow());
  const { busy, error, unanswered, send } = useSending(async (id: string) => {
    const rotated = await api.rotateWebhookSecret(id, requestId);
    setSecret(rotated.secret);
    showWebhook(client, id, Webhook.parse(rotated));
  });
  useLoss(busy ? { locked: true, text: "A new secret is being made, and only this page can show it." } : null);
  if (secret !== null) return <WebhookSecret secret={secret} onStored={onDone} />;
  return (
    <ActionForm
      action={unanswered ? "Try again" : "Make a new secret"}
      busy={busy}
      onSubmit={() => void send(webhook.id)}
    >
      <Text size="sm">
        Messages to “{nameOf(webhook)}” are then signed with both secrets for 24 hours. Give the receiver the new one
        within that time.
      </Text>
      {bothSignUntil !== null && (
        <Alert color="yellow" title={`Both secrets sign until ${exactTime(bothSignUntil)}`}>
          Until then, another rotation is possible only after you have ended the earlier secret.
        </Alert>
      )}
      <Outcome
        error={error}
        what="given a new secret"
        // A conflict is known: this request's secret does not sign.
        unanswered={unanswered !== null && !(error instanceof ApiError && error.status === 409)}
        advice="Try again: you get the same secret, never another one."
      />
    </ActionForm>
  );
}

function EndEarlierSecretForm({ webhook, onDone }: ContentProps) {
  const { api, announce } = useAdmin();
  const client = useQueryClient();
  const { busy, error, unanswered, send } = useSending(async (id: string) => {
    showWebhook(client, id, await api.updateWebhook(id, { earlier_secret_until: null }));
    announce("The earlier secret has ended.");
    onDone();
  });
  return (
    <ActionForm
      action={unanswered ? "Try again" : "End the earlier secret"}
      color="red"
      busy={busy}
      onSubmit={() => void send(webhook.id)}
    >
      <Text size="sm">
        Messages to “{nameOf(webhook)}” are then signed with the current secret only, and a receiver that has the
        earlier one rejects them. This cannot be undone.
      </Text>
      <Outcome
        error={error}
        what="changed"
        unanswered={unanswered !== null}
        advice="Try again: doing it twice does no harm."
      />
    </ActionForm>
  );
}

function DeleteForm({ webhook, onDone }: ContentProps) {
  const { api, announce } = useAdmin();
  const client = useQueryClient();
  const [typed, setTyped] = useState("");
  const name = nameOf(webhook);
  const mustType = isInUse(webhook, useNow());
  const { busy, error, unanswered, send } = useSending(async (id: string) => {
    // After a lost response, the webhook may be gone.
    await api.deleteWebhook(id).catch((failure) => {
      if (!(failure instanceof ApiError && failure.status === 404)) throw failure;
    });
    onDone();
    announce(`The webhook “${name}” is deleted.`);
    location.hash = "webhooks";
    showWebhook(client, id, null);
  });
  const isConfirmed = !mustType || confirms(typed, { name, prefix: hostOf(webhook.url) });
  return (
    <ActionForm
      action={unanswered ? "Try again" : `Delete “${name}”`}
      color="red"
      busy={busy}
      disabled={!isConfirmed}
      onSubmit={() => void send(webhook.id)}
    >
      <Text size="sm" className="breakable">
        The receiver at {webhook.url} gets no further messages, and its position is lost. This cannot be undone. To stop
        it for a while, pause it instead.
      </Text>
      {mustType && (
        <TypedConfirmation
          title="This webhook is in use"
          advice="It delivered a message in the last 24 hours."
          name={name}
          alternative={hostOf(webhook.url)}
          typed={typed}
          onType={setTyped}
        />
      )}
      <Outcome
        error={error}
        what="deleted"
        unanswered={unanswered !== null}
        advice="Try again: deleting it twice does no harm."
      />
    </ActionForm>
  );
}
