import { useApiKeys } from "../api/useApiKeys.ts";
import { CreateDialog } from "./create/CreateDialog.tsx";
import { RevokeDialog } from "./revoke/RevokeDialog.tsx";
import { RotateDialog } from "./rotate/RotateDialog.tsx";

export type OpenDialog = { kind: "create" } | { kind: "revoke" | "rotate"; keyId: string };

/** The successor's id by the id of the key that it replaces. Lost when the page closes. */
export type Rotations = Record<string, string>;

interface KeyDialogProps {
  dialog: OpenDialog | null;
  rotations: Rotations;
  onRotation: (oldId: string, newId: string) => void;
  onClose: () => void;
}

/** The open dialog, if any. */
export function KeyDialog({ dialog, rotations, onRotation, onClose }: KeyDialogProps) {
  const { data: keys = [] } = useApiKeys();
  if (dialog === null) return null;
  if (dialog.kind === "create") return <CreateDialog onClose={onClose} />;
  const apiKey = keys.find(({ id }) => id === dialog.keyId);
  if (!apiKey) return null;
  if (dialog.kind === "revoke") return <RevokeDialog apiKey={apiKey} onClose={onClose} />;
  const successor = keys.find(({ id }) => id === rotations[apiKey.id]) ?? null;
  return (
    <RotateDialog
      apiKey={apiKey}
      successor={successor}
      onSuccessor={(newId) => onRotation(apiKey.id, newId)}
      onClose={onClose}
    />
  );
}
