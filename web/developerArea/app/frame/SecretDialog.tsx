import { Stack, Text } from "@mantine/core";
import { SecretOnce } from "../keys/create/SecretOnce.tsx";
import { Dialog } from "../parts/Dialog.tsx";
import type { UnstoredSecret } from "../session/sessionState.ts";

interface SecretDialogProps {
  secret: UnstoredSecret;
  onStored: () => void;
}

/** Shows a secret that was shown, or about to be, when the session ended. It cannot be shown again. */
export function SecretDialog({ secret: { name, secret }, onStored }: SecretDialogProps) {
  return (
    <Dialog title="You are signed out">
      <Stack>
        <Text size="sm">Only this key is still here, because it cannot be shown again.</Text>
        <SecretOnce name={name} secret={secret} onStored={onStored} />
      </Stack>
    </Dialog>
  );
}
