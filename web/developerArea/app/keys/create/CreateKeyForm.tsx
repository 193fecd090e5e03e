import { Button, Checkbox, Group, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useRef, useState } from "react";
import { ApiError } from "../../api/apiError.ts";
import type { ApiKey } from "../../api/apiKey.ts";
import { ErrorNotice } from "../../parts/ErrorNotice.tsx";
import { scopes } from "../scopes.ts";
import { longestName } from "./longestName.ts";
import { successorName } from "./successorName.ts";

export interface NewKey {
  name: string;
  scopes: string[];
}

interface CreateKeyFormProps {
  predecessor?: ApiKey;
  busy: boolean;
  onCreate: (key: NewKey) => Promise<void>;
}

/** The form for a key's name and scopes. The API's field errors are shown at their fields. */
export function CreateKeyForm({ predecessor, busy, onCreate }: CreateKeyFormProps) {
  const [name, setName] = useState(predecessor ? successorName(predecessor.name) : "");
  const [chosen, setChosen] = useState(predecessor?.scopes ?? ["read"]);
  const [nameError, setNameError] = useState<string | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const nameField = useRef<HTMLInputElement>(null);
  // A ref, because state updates only at the next render, and the second click of a double click may come first.
  const sending = useRef(false);

  const refuseName = (reason: string) => {
    setNameError(reason);
    nameField.current?.focus();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const trimmed = name.trim();
    setError(null);
    if (trimmed === "") return refuseName("Give the key a name.");
    if ([...trimmed].length > longestName) return refuseName(`At most ${longestName} characters.`);
    if (sending.current) return;
    sending.current = true;
    setNameError(null);
    try {
      await onCreate({ name: trimmed, scopes: chosen });
    } catch (failure) {
      const reason = fieldError(failure, "/name");
      if (reason) refuseName(reason);
      else setError(failure instanceof Error ? failure : new Error(String(failure)));
    } finally {
      sending.current = false;
    }
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
          <Text size="sm">Scopes, as the old key has them: {predecessor.scopes.join(", ")}.</Text>
        ) : (
          <ScopeChoice chosen={chosen} onChoose={setChosen} error={fieldError(error, "/scopes")} />
        )}
        {error && !fieldError(error, "/scopes") && (
          <ErrorNotice title="The key was not created" error={error} advice={adviceAfter(error)} />
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ScopeChoiceProps {
  chosen: string[];
  onChoose: (scopes: string[]) => void;
  error: string | null;
}

function ScopeChoice({ chosen, onChoose, error }: ScopeChoiceProps) {
  return (
    <Checkbox.Group
      label="Scopes"
      description="What the key may do. Give it no more than it needs."
      {...{ error }}
      value={chosen}
      onChange={onChoose}
    >
      <Stack gap="sm" mt="xs">
        {scopes.map(({ scope, allows }) => (
          <Checkbox
            key={scope}
            value={scope}
            label={<code>{scope}</code>}
            description={allows}
            disabled={scope === "read"}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

function fieldError(error: unknown, pointer: string): string | null {
  if (!(error instanceof ApiError)) return null;
  return error.fieldErrors.find((found) => found.pointer?.startsWith(pointer))?.detail ?? null;
}

/** After a 4xx response, the key does not exist. After any other failure, it may. */
function adviceAfter(error: Error): string | null {
  const refused = error instanceof ApiError && error.status !== null && error.status >= 400 && error.status < 500;
  if (refused || !navigator.onLine) return null;
  return "The key may exist nonetheless. Check the list: if it is there, revoke it, because its secret was not shown, and create another.";
}
