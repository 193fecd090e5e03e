import { Button, Group, Text } from "@mantine/core";
import type { ApiKey } from "../../api/apiKey.ts";
import { Dialog } from "../../parts/Dialog.tsx";
import { RelativeTime } from "../../parts/RelativeTime.tsx";
import { useAdmin } from "../../session/admin.ts";
import { RevokeForm } from "./RevokeForm.tsx";

interface RevokeDialogProps {
  apiKey: ApiKey;
  onClose: () => void;
}

export function RevokeDialog({ apiKey, onClose }: RevokeDialogProps) {
  const { announce } = useAdmin();
  if (apiKey.status === "revoked") return <RevokedAlready apiKey={apiKey} onClose={onClose} />;
  return (
    <Dialog title="Revoke an API key" onClose={onClose}>
      <RevokeForm
        apiKey={apiKey}
        advice="To replace it without an interruption, rotate it instead."
        onRevoked={() => {
          announce(`Key “${apiKey.name}” is revoked.`);
          onClose();
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}

function RevokedAlready({ apiKey: { name, revoked, revoked_by }, onClose }: RevokeDialogProps) {
  return (
    <Dialog title="This key is already revoked">
      <Text role="status" className="breakable">
        “{name}” was revoked{revoked_by !== null && ` by ${revoked_by}`}{" "}
        {revoked !== null && <RelativeTime instant={revoked} />}. Nothing is left to do.
      </Text>
      <Group justify="flex-end" mt="md">
        <Button data-autofocus onClick={onClose}>
          Close
        </Button>
      </Group>
    </Dialog>
  );
}
