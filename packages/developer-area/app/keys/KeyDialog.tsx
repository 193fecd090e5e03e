import { Button, Group } from "@mantine/core";
import { bodyOf } from "../api/adminApi.ts";
import { useApiKeys } from "../api/queries.ts";
import type { ApiKey } from "../api/types.ts";
import { Dialog } from "../parts/Dialog.tsx";
import { WriteForm } from "../parts/WriteForm.tsx";
import { useAdmin } from "../session/admin.ts";
import { CreateKey, NameField } from "./CreateKey.tsx";
import { nameProblem } from "./keyRules.ts";
import { RevokeDialog } from "./RevokeDialog.tsx";

export type OpenDialog = { kind: "create" } | { kind: keyof typeof dialogs; keyId: string };

const dialogs = { revoke: RevokeDialog, rotate: RotateDialog, rename: RenameDialog };

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
  return <Opened apiKey={apiKey} onClose={onClose} />;
}

interface KeyDialogProps {
  apiKey: ApiKey;
  onClose: () => void;
}

function RotateDialog({ apiKey, onClose }: KeyDialogProps) {
  return (
    <Dialog title={`Rotate “${apiKey.name}”`} onClose={onClose}>
      <CreateKey replaced={apiKey} onStored={onClose} />
    </Dialog>
  );
}

function RenameDialog({ apiKey: { id, name }, onClose }: KeyDialogProps) {
  const { api, announce, showKey } = useAdmin();
  return (
    <Dialog title="Rename an API key" onClose={onClose}>
      <WriteForm
        initial={{ name }}
        validate={(values) => ({ name: nameProblem(values.name) })}
        onSend={async (body) => {
          const renamed = await bodyOf(api.PATCH("/admin/api-keys/{id}", { params: { path: { id } }, body }));
          showKey(renamed);
          announce(`The key is named “${renamed.name}”.`);
          onClose();
        }}
        action="Rename"
        what="the key was renamed"
        advice="Try again: renaming it twice does no harm."
        unsaved="The new name is not saved."
      >
        {(form) => (
          <NameField
            {...form.getInputProps("name")}
            except={id}
            description="The key itself does not change, so integrations are not affected."
          />
        )}
      </WriteForm>
    </Dialog>
  );
}

interface KeyActionsProps {
  apiKey: ApiKey;
  called?: string;
  onOpen: (dialog: OpenDialog) => void;
}

/** For an active key. */
export function KeyActions({ apiKey: { id, name }, called = name, onOpen }: KeyActionsProps) {
  return (
    <Group gap={4} wrap="nowrap">
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`Rotate ${called}`}
        onClick={() => onOpen({ kind: "rotate", keyId: id })}
      >
        Rotate
      </Button>
      <Button
        variant="subtle"
        color="red"
        size="compact-sm"
        aria-label={`Revoke ${called}`}
        onClick={() => onOpen({ kind: "revoke", keyId: id })}
      >
        Revoke
      </Button>
    </Group>
  );
}
