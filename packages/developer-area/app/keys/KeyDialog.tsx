import { Button, Group } from "@mantine/core";
import { useApiKeys } from "../api/queries.ts";
import type { ApiKey } from "../api/schemas.ts";
import { Dialog } from "../parts/Dialog.tsx";
import { CreateKey } from "./CreateKey.tsx";
import { successorOf } from "./keyRules.ts";
import { RenameDialog } from "./RenameDialog.tsx";
import { RevokeDialog } from "./RevokeDialog.tsx";
import { RotateDialog } from "./RotateDialog.tsx";

export type OpenDialog = { kind: "create" } | { kind: keyof typeof dialogs; keyId: string };

const dialogs = { revoke: RevokeDialog, rotate: RotateDialog, rename: RenameDialog };

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
  const Opened = dialogs[dialog.kind];
  return <Opened apiKey={apiKey} successor={successorOf(keys, apiKey)} onClose={onClose} />;
}

interface KeyActionsProps {
  apiKey: ApiKey;
  rotating: boolean;
  onOpen: (dialog: OpenDialog) => void;
}

/** What can be done with an active key. */
export function KeyActions({ apiKey: { id, name }, rotating, onOpen }: KeyActionsProps) {
  return (
    <Group gap={4} wrap="nowrap">
      <Button
        variant="default"
        size="compact-sm"
        aria-label={rotating ? `Continue rotation of ${name}` : `Rotate ${name}`}
        onClick={() => onOpen({ kind: "rotate", keyId: id })}
      >
        {rotating ? (
          <>
            Continue<span className="in-full"> rotation</span>
          </>
        ) : (
          "Rotate"
        )}
      </Button>
      <Button
        variant="subtle"
        color="red"
        size="compact-sm"
        aria-label={`Revoke ${name}`}
        onClick={() => onOpen({ kind: "revoke", keyId: id })}
      >
        Revoke
      </Button>
    </Group>
  );
}
