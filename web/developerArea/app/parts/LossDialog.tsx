import { Button, Group, Stack, Text } from "@mantine/core";
import { DialogFrame } from "./DialogFrame.tsx";

interface LossDialogProps {
  /** What the person is about to do: "Close". */
  action: string;
  text: string;
  onGoBack: () => void;
  onGoOn: () => void;
}

/** Asks before something is lost. */
export function LossDialog({ action, text, onGoBack, onGoOn }: LossDialogProps) {
  return (
    <DialogFrame onTop title={`${action} without finishing?`} onClose={onGoBack}>
      <Stack>
        <Text>{text}</Text>
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={onGoBack}>
            Go back
          </Button>
          <Button color="red" onClick={onGoOn}>
            {action}
          </Button>
        </Group>
      </Stack>
    </DialogFrame>
  );
}
