import { useApiKeys } from "../api/useApiKeys.ts";
import { Dialog } from "../parts/Dialog.tsx";
import { CreateKey } from "./create/CreateKey.tsx";
import { RevokeDialog } from "./revoke/RevokeDialog.tsx";
import { RotateDialog } from "./rotate/RotateDialog.tsx";
import { successorOf } from "./rotate/successorOf.ts";

export type OpenDialog = { kind: "create" } | { kind: "revoke" | "rotate"; keyId: string };

/** The open dialog, if any. */
export function KeyDialog({ dialog, onClose }: { dialog: OpenDialog | null; onClose: () => void }) {
  const { data: keys = [] } = useApiKeys();
  if (dialog === null) return null;
  if (dialog.kind === "create") {
    return (
      <Dialog title="Create an API key" onClose={onClose}>
        <CreateKey onStored={onClose} />
      </Dialog>
    );
  }
  const apiKey = keys.find(({ id }) => id === dialog.keyId);
  if (!apiKey) return null;
  if (dialog.kind === "revoke") return <RevokeDialog apiKey={apiKey} onClose={onClose} />;
  return <RotateDialog apiKey={apiKey} successor={successorOf(keys, apiKey)} onClose={onClose} />;
}
