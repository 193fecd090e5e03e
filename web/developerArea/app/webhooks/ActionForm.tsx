import { Alert, Button, Checkbox, Group, Stack } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { CopyField } from "../parts/CopyField.tsx";
import { useClose } from "../parts/Dialog.tsx";
import { ErrorNotice } from "../parts/Notices.tsx";
import { useLoss } from "../session/admin.ts";

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
  const [stored, setStored] = useState(false);
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
    </Stack>
  );
}
