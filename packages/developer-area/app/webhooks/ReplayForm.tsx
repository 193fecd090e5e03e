import { NativeSelect, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { fieldError } from "../api/adminApi.ts";
import { showWebhook, useSending } from "../api/queries.ts";
import type { Webhook } from "../api/schemas.ts";
import { ActionForm } from "../parts/Forms.tsx";
import { useAdmin } from "../session/admin.ts";
import { Outcome } from "./WebhookForm.tsx";

const hourMs = 60 * 60 * 1000;
const minuteMs = 60 * 1000;

const choices = [
  { value: String(hourMs), label: "The last hour" },
  { value: String(24 * hourMs), label: "The last 24 hours" },
  { value: String(7 * 24 * hourMs), label: "The last 7 days" },
  // The service's limit is counted when the request arrives.
  { value: String(30 * 24 * hourMs - minuteMs), label: "The last 30 days" },
  { value: "at", label: "Since a date and time" },
];

/** Moves a webhook back in time. */
export function ReplayForm({ webhook: { id }, onDone }: { webhook: Webhook; onDone: () => void }) {
  const { api, announce } = useAdmin();
  const client = useQueryClient();
  const [choice, setChoice] = useState(choices[0]?.value ?? "");
  const [at, setAt] = useState("");
  const [submitted, setSubmitted] = useState(false);
  const { busy, error, unanswered, send } = useSending(async (from: string) => {
    showWebhook(client, id, await api.replayWebhook(id, from));
    announce("The changes are sent again within a minute.");
    onDone();
  });
  const since = choice === "at" ? new Date(at) : null;
  const problem = since && Number.isNaN(since.getTime()) ? "Choose a date and a time." : null;
  const refusal = fieldError(error, "/from");
  const submit = () => {
    setSubmitted(true);
    if (!problem) void send((since ?? new Date(Date.now() - Number(choice))).toISOString());
  };
  return (
    <ActionForm action={unanswered ? "Try again" : "Send again"} busy={busy} onSubmit={submit}>
      <Text size="sm">
        Sends all changes of a time again, each resource at its latest change. The receiver may get what it has already.
      </Text>
      <NativeSelect
        data-autofocus
        label="Which changes?"
        data={choices}
        value={choice}
        onChange={(event) => setChoice(event.currentTarget.value)}
        error={choice === "at" ? undefined : refusal}
      />
      {choice === "at" && (
        <TextInput
          type="datetime-local"
          label="Since"
          description="In the time zone of this computer, at most 30 days ago."
          value={at}
          onChange={(event) => setAt(event.currentTarget.value)}
          error={submitted ? (problem ?? refusal) : null}
        />
      )}
      {!refusal && (
        <Outcome
          error={error}
          what="moved back"
          unanswered={unanswered !== null}
          advice="Try again: doing it twice does no harm."
        />
      )}
    </ActionForm>
  );
}
