import { Alert, Button, Checkbox, Group, Stack, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { useClose } from "./Dialog.tsx";

interface ActionFormProps {
  children: ReactNode;
  action: string;
  busy: boolean;
  disabled?: boolean;
  color?: string;
  onSubmit: () => void;
}

/** A form with one action, and Cancel. */
export function ActionForm({ children, action, busy, disabled = false, color, onSubmit }: ActionFormProps) {
  const close = useClose();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!disabled) onSubmit();
  };
  return (
    <form onSubmit={submit} noValidate aria-busy={busy}>
      <Stack>
        {children}
        <Group justify="flex-end">
          <Button variant="default" disabled={busy} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" color={color} maw="100%" loading={busy} disabled={disabled}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The end of a dialog that shows a secret once: it closes when the person has stored the secret. */
export function StoredConfirmation({ onStored }: { onStored: () => void }) {
  const [stored, setStored] = useState(false);
  return (
    <>
      <Checkbox
        label="I have stored it"
        checked={stored}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button disabled={!stored} onClick={onStored}>
          Done
        </Button>
      </Group>
    </>
  );
}

interface TypedConfirmationProps {
  title: string;
  advice: string;
  /** Null if a keyboard cannot type it. */
  name: string | null;
  /** What may be typed instead, such as a key's prefix. */
  alternative: string;
  typed: string;
  onType: (typed: string) => void;
}

/** Asks for the name of what a system probably depends on. */
export function TypedConfirmation({ title, advice, name, alternative, typed, onType }: TypedConfirmationProps) {
  return (
    <>
      <Alert color="yellow" title={title}>
        {advice}
      </Alert>
      <TextInput
        label={
          <>
            Type <code className="key-name">{name ?? alternative}</code> to confirm
          </>
        }
        description={
          name !== null &&
          name !== alternative && (
            <>
              Or type <code>{alternative}</code>.
            </>
          )
        }
        value={typed}
        onChange={(event) => onType(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
    </>
  );
}
