import { Button, Group, Stack, Text } from "@mantine/core";
import { DialogFrame } from "../parts/DialogFrame.tsx";

interface IdleDialogProps {
  onStay: () => void;
  onSignOut: () => void;
}

/** Warns a minute before an idle session ends. */
export function IdleDialog({ onStay, onSignOut }: IdleDialogProps) {
  return (
    <DialogFrame onTop title="Are you still there?" onClose={onStay}>
      <Stack>
        <Text role="status">You will be signed out within a minute, because there was no activity for 29 minutes.</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onSignOut}>
            Sign out
          </Button>
          <Button data-autofocus onClick={onStay}>
            Stay signed in
          </Button>
        </Group>
      </Stack>
    </DialogFrame>
  );
}
