import type { ApiKey } from "../../api/apiKey.ts";
import { Dialog } from "../../parts/Dialog.tsx";
import { useAdmin } from "../../session/admin.ts";
import { RevokedAlready } from "./RevokedAlready.tsx";
import { RevokeForm } from "./RevokeForm.tsx";

export function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { announce } = useAdmin();
  if (apiKey.status === "revoked") {
    return (
      <Dialog key="revoked" title="This key is already revoked" locked onClose={onClose}>
        <RevokedAlready apiKey={apiKey} onClose={onClose} />
      </Dialog>
    );
  }
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
