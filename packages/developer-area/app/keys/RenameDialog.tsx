import { TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { fieldError } from "../api/adminApi.ts";
import { showApiKey, useSending } from "../api/queries.ts";
import type { ApiKey } from "../api/schemas.ts";
import { Dialog } from "../parts/Dialog.tsx";
import { ActionForm } from "../parts/Forms.tsx";
import { ErrorNotice } from "../parts/Notices.tsx";
import { useAdmin, useLoss } from "../session/admin.ts";
import { nameProblem } from "./keyRules.ts";

interface RenameDialogProps {
  apiKey: ApiKey;
  onClose: () => void;
}

export function RenameDialog({ apiKey, onClose }: RenameDialogProps) {
  return (
    <Dialog title="Rename an API key" onClose={onClose}>
      <RenameForm apiKey={apiKey} onDone={onClose} />
    </Dialog>
  );
}

function RenameForm({ apiKey, onDone }: { apiKey: ApiKey; onDone: () => void }) {
  const { api, announce } = useAdmin();
  const client = useQueryClient();
  // A refresh of the list does not change what the person edits.
  const [initial] = useState(apiKey.name);
  const [name, setName] = useState(initial);
  const [submitted, setSubmitted] = useState<string | null>(null);
  const { busy, error, unanswered, send } = useSending(async (wanted: string) => {
    const renamed = await api.renameKey(apiKey.id, wanted);
    showApiKey(client, renamed);
    announce(`The key is named “${renamed.name}”.`);
    onDone();
  });
  useLoss(name === initial ? null : { locked: false, text: "The new name is not saved." });
  const problem = nameProblem(name);
  const refusal = name === submitted ? fieldError(error, "/name") : null;
  const submit = () => {
    setSubmitted(name);
    if (!problem) void send(name);
  };
  return (
    <ActionForm action={unanswered === null ? "Rename" : "Try again"} busy={busy} onSubmit={submit}>
      <TextInput
        data-autofocus
        label="Name"
        description="The key itself stays the same, so nothing that uses it is affected."
        value={name}
        error={problem && (problem.atOnce || submitted !== null) ? problem.text : refusal}
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="off"
        required
      />
      {error && !refusal && (
        <ErrorNotice
          title={unanswered === null ? "The key was not renamed" : "It is not known whether the key was renamed"}
          error={error}
          advice={unanswered === null ? undefined : "Try again: renaming it twice does no harm."}
        />
      )}
    </ActionForm>
  );
}
