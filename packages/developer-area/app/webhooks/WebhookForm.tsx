import { Alert, Checkbox, Stack, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { fieldError } from "../api/adminApi.ts";
import { showWebhook, useSending } from "../api/queries.ts";
import { Webhook } from "../api/schemas.ts";
import { CopyField } from "../parts/CopyField.tsx";
import { ActionForm, StoredConfirmation } from "../parts/Forms.tsx";
import { ErrorNotice } from "../parts/Notices.tsx";
import { type Loss, useAdmin, useLoss } from "../session/admin.ts";
import { types } from "./webhookRules.ts";

type Settings = Pick<Webhook, "url" | "types" | "description">;

/** The form, then the signing secret of the created webhook. */
export function CreateWebhook({ onDone }: { onDone: () => void }) {
  const { api, announce } = useAdmin();
  const client = useQueryClient();
  const [secret, setSecret] = useState<string | null>(null);
  const attempt = useRef({ body: "", id: "" });
  const create = async (settings: Settings) => {
    const body = JSON.stringify(settings);
    if (attempt.current.body !== body) attempt.current = { body, id: crypto.randomUUID() };
    const created = await api.createWebhook(body, attempt.current.id);
    setSecret(created.secret);
    showWebhook(client, created.id, Webhook.parse(created));
  };
  const finish = () => {
    announce("The webhook is created. Its first message can take a minute.");
    onDone();
  };
  if (secret !== null) return <WebhookSecret secret={secret} onStored={finish} />;
  const advice = "The webhook may exist. Try again without changes: you get the same webhook, never a second one.";
  return (
    <WebhookForm
      initial={{ url: "", types: null, description: null }}
      action="Create webhook"
      what="created"
      busyText="A webhook is being created, and only this page can show its secret."
      advice={advice}
      onSubmit={create}
    />
  );
}

export function EditWebhook({ webhook, onDone }: { webhook: Webhook; onDone: () => void }) {
  const { api, announce } = useAdmin();
  const client = useQueryClient();
  // A refresh of the list does not change what the person edits.
  const [{ id, url, types, description }] = useState(webhook);
  const save = async (settings: Settings) => {
    showWebhook(client, id, await api.updateWebhook(id, settings));
    announce("The webhook is changed.");
    onDone();
  };
  return (
    <WebhookForm
      initial={{ url, types, description }}
      action="Save"
      what="changed"
      advice="Try again: saving it twice does no harm."
      onSubmit={save}
    />
  );
}

interface WebhookFormProps {
  initial: Settings;
  action: string;
  /** What is done to the webhook: "created". */
  what: string;
  /** Why the form stays open while the request is under way, if its response contains a secret. */
  busyText?: string;
  advice: string;
  onSubmit: (settings: Settings) => Promise<void>;
}

/** The settings of a webhook. The API's field errors are shown at their fields. */
function WebhookForm({ initial, action, what, busyText, advice, onSubmit }: WebhookFormProps) {
  const [url, setUrl] = useState(initial.url);
  const [description, setDescription] = useState(initial.description ?? "");
  const [chosen, setChosen] = useState(initial.types);
  const [submitted, setSubmitted] = useState<string | null>(null);
  const { busy, error, unanswered, send } = useSending(onSubmit);
  const settings = { url: url.trim(), types: chosen, description: description.trim() || null };
  useLoss(lossOf());
  const refusals = ["/url", "/types", "/description"].map((pointer) => fieldError(error, pointer));
  const urlError =
    settings.url === "" ? "Enter the receiver's address." : settings.url === submitted ? refusals[0] : null;
  function lossOf(): Loss | null {
    if (busy && busyText) return { locked: true, text: busyText };
    const isChanged = JSON.stringify(settings) !== JSON.stringify(initial);
    return isChanged ? { locked: false, text: "What you entered is not saved." } : null;
  }
  const submit = () => {
    setSubmitted(settings.url);
    if (settings.url !== "" && chosen?.length !== 0) void send(settings);
  };
  return (
    <ActionForm action={unanswered ? "Try again" : action} busy={busy} onSubmit={submit}>
      <TextInput
        data-autofocus
        type="url"
        label="Address"
        description="Where the receiver takes messages: https, and public."
        placeholder="https://crm.example.org/ticketing"
        value={url}
        error={submitted === null ? null : urlError}
        onChange={(event) => setUrl(event.currentTarget.value)}
        autoComplete="off"
        required
      />
      <TypeChoice
        chosen={chosen}
        onChoose={setChosen}
        error={submitted !== null && chosen?.length === 0 ? "Choose at least one." : (refusals[1] ?? null)}
      />
      <TextInput
        label="Description"
        description="What the receiver is, so that everyone knows what deleting the webhook would stop."
        value={description}
        error={refusals[2]}
        onChange={(event) => setDescription(event.currentTarget.value)}
        autoComplete="off"
      />
      {refusals.every((refusal) => refusal === null) && (
        <Outcome error={error} what={what} unanswered={unanswered !== null} advice={advice} />
      )}
    </ActionForm>
  );
}

interface TypeChoiceProps {
  /** Null for all. */
  chosen: string[] | null;
  onChoose: (types: string[] | null) => void;
  error: string | null;
}

function TypeChoice({ chosen, onChoose, error }: TypeChoiceProps) {
  return (
    <Stack gap="xs">
      <Checkbox
        label="All changes"
        description="Also of types that are added later."
        checked={chosen === null}
        onChange={(event) => onChoose(event.currentTarget.checked ? null : [])}
      />
      {chosen !== null && (
        <Checkbox.Group label="Changes of" value={chosen} onChange={onChoose} error={error}>
          <div className="type-choice">
            {types.map(({ type, title }) => (
              <Checkbox key={type} value={type} label={title} />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </Stack>
  );
}

interface OutcomeProps {
  error: Error | null;
  /** What was to be done to the webhook: "deleted". */
  what: string;
  unanswered: boolean;
  advice?: string;
}

/** Why something was not done, or that it is not known. */
export function Outcome({ error, what, unanswered, advice }: OutcomeProps) {
  if (error === null) return null;
  const title = unanswered ? `It is not known whether the webhook was ${what}` : `The webhook was not ${what}`;
  return <ErrorNotice title={title} error={error} advice={unanswered ? advice : undefined} />;
}

interface WebhookSecretProps {
  secret: string;
  onStored: () => void;
}

/** Shows a signing secret on demand, until the person has stored it. */
export function WebhookSecret({ secret, onStored }: WebhookSecretProps) {
  useLoss({ locked: true, text: "The signing secret is not stored yet. Tick “I have stored it”, then press Done." });
  return (
    <Stack>
      <Alert color="yellow" title="Give this secret to the receiver now">
        With it, the receiver checks that messages come from here. It cannot be shown again: if you lose it, rotate it.
      </Alert>
      <CopyField
        label="Signing secret"
        copyLabel="Copy secret"
        value={secret}
        secret={secret}
        visiblePart={"whsec_".length}
        rows={2}
        autoFocus
      />
      <StoredConfirmation onStored={onStored} />
    </Stack>
  );
}
