import type { ApiKey } from "../../api/apiKey.ts";
import { Dialog } from "../../parts/Dialog.tsx";
import { RevokeForm } from "./RevokeForm.tsx";

export function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  return (
    <Dialog title="Revoke an API key" onClose={onClose}>
      <RevokeForm
        apiKey={apiKey}
        advice="To replace it without an interruption, rotate it instead."
        onRevoked={onClose}
        onCancel={onClose}
      />
    </Dialog>
  );
}
