import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { ApiError } from "../../api/apiError.ts";
import type { ApiKey } from "../../api/apiKey.ts";
import { useClose } from "../../parts/Dialog.tsx";
import { ErrorNotice } from "../../parts/ErrorNotice.tsx";
import type { Loss } from "../../session/admin.ts";
import { useLoss } from "../../session/useLoss.ts";
import { useSending } from "../useSending.ts";
import { nameProblem } from "./nameProblem.ts";
import { ScopeChoice } from "./ScopeChoice.tsx";
import { successorName } from "./successorName.ts";

export interface NewKey {
  name: string;
  scopes: string[];
}

interface CreateKeyFormProps {
  predecessor?: ApiKey;
  onCreate: (key: NewKey) => Promise<void>;
}

/** The form for a key's name and scopes. The API's field errors are shown at their fields. */
export function CreateKeyForm({ predecessor, onCreate }: CreateKeyFormProps) {
  const initial = predecessor ? successorName(predecessor.name) : "";
  const [name, setName] = useState(initial);
  const [chosen, setChosen] = useState(predecessor?.scopes ?? ["read"]);
  const [submitted, setSubmitted] = useState<string | null>(null);
  const { busy, error, unanswered, send } = useSending(onCreate);
  const mayExist = unanswered?.name ?? null;
  const close = useClose();
  const nameField = useRef<HTMLInputElement>(null);
  const isChanged = name !== initial || chosen.length !== (predecessor?.scopes.length ?? 1);
  useLoss(lossOf(busy, mayExist, isChanged));

  const problem = nameProblem(name);
  const refusal = name === submitted ? fieldError(error, "/name") : null;
  const nameError = problem && (problem.atOnce || submitted !== null) ? problem.text : refusal;
  const scopeError = fieldError(error, "/scopes");
  useEffect(() => {
    if (refusal) nameField.current?.focus();
  }, [refusal]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSubmitted(name);
    if (problem) nameField.current?.focus();
    else void send({ name, scopes: chosen });
  };
  return (
    <form onSubmit={submit} noValidate aria-busy={busy}>
      <Stack>
        <TextInput
          ref={nameField}
          data-autofocus
          label="Name"
          description="What uses the key, so that everyone knows what revoking it would stop."
          placeholder="Website, accounting, newsletter …"
          value={name}
          error={nameError}
          onChange={(event) => setName(event.currentTarget.value)}
          autoComplete="off"
          required
        />
        {predecessor ? (
          <Text size="sm">Scopes, the same as the old key's: {predecessor.scopes.join(", ")}.</Text>
        ) : (
          <ScopeChoice chosen={chosen} onChoose={setChosen} error={scopeError} />
        )}
        {error && !fieldError(error, "/name") && !scopeError && (
          <Failure error={error} isUncertain={mayExist !== null} />
        )}
        <Group justify="flex-end">
          <Button variant="default" disabled={busy} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            {mayExist === null ? "Create key" : "Try again"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function fieldError(error: unknown, pointer: string): string | null {
  if (!(error instanceof ApiError)) return null;
  return error.fieldErrors.find((found) => found.pointer?.startsWith(pointer))?.detail ?? null;
}

/** What closing the form would lose. */
function lossOf(busy: boolean, mayExist: string | null, isChanged: boolean): Loss | null {
  if (busy) return { locked: true, text: "A key is being created, and only this page can show its secret." };
  if (mayExist !== null) {
    const text = `The key “${mayExist}” may exist, although its secret was not shown. If it is in the list, revoke it.`;
    return { locked: false, text };
  }
  return isChanged ? { locked: false, text: "What you entered is not saved." } : null;
}

function Failure({ error, isUncertain }: { error: Error; isUncertain: boolean }) {
  if (!isUncertain) return <ErrorNotice title="The key was not created" error={error} />;
  const advice = "The key may exist. Try again without changes: you get the same key, never a second one.";
  return <ErrorNotice title="It is not known whether the key was created" error={error} advice={advice} />;
}
