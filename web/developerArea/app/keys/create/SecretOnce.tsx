import { Alert, Button, Checkbox, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { CopyField } from "../../parts/CopyField.tsx";
import { useLoss } from "../../session/useLoss.ts";

interface SecretOnceProps {
  name: string;
  secret: string;
  onStored: () => void;
}

/** Shows a key's secret; it cannot be shown again. */
export function SecretOnce({ name, secret, onStored }: SecretOnceProps) {
  const [stored, setStored] = useState(false);
  useLoss({ locked: true, text: `The secret of “${name}” is not stored yet. Nobody can show it again.` });
  return (
    <Stack>
      <Alert color="yellow" title="Store this key now">
        We show it only once and do not keep it. If you lose it, create a new key. Put it where “{name}” reads its
        secrets, such as a secret manager. Never put it into a chat, an email or a repository.
      </Alert>
      <CopyField label="Secret key" copyLabel="Copy key" value={secret} rows={2} autoFocus />
      <CopyField
        label="A first request"
        copyLabel="Copy command"
        description="Returns the key's name, prefix, scopes and organisation."
        value={`curl -H "Authorization: Bearer ${secret}" ${location.origin}/v1/key`}
        rows={4}
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
