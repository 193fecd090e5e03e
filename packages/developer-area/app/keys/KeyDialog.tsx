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

const dialogs = { revoke: RevokeDialog, rotate: RotateDialog, rename: RenameDialog };

/** Shows the key as it is now. */
export function KeyDialog({ kind, keyId }: { kind: keyof typeof dialogs; keyId: string }) {
  const apiKey = useApiKeys().data?.find(({ id }) => id === keyId);
  const Opened = dialogs[kind];
  return apiKey && <Opened apiKey={apiKey} />;
}

function RotateDialog({ apiKey }: { apiKey: ApiKey }) {
  return (
    <Dialog title={`Rotate “${apiKey.name}”`}>
      <CreateKey replaced={apiKey} />
    </Dialog>
  );
}

function RenameDialog({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  const { api, done, showKey } = useAdmin();
  return (
    <Dialog title="Rename an API key">
      <WriteForm
        initial={{ name }}
        validate={(values) => ({ name: nameProblem(values.name) })}
        onSend={async (body) => {
          const renamed = await bodyOf(api.PATCH("/admin/api-keys/{id}", { params: { path: { id } }, body }));
          showKey(renamed);
          done(`The key is named “${renamed.name}”.`);
        }}
        action="Rename"
        outcome={{ done: "the key was renamed", failed: "The key was not renamed" }}
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

/** For an active key. */
export function KeyActions({ apiKey: { id, name }, called = name }: { apiKey: ApiKey; called?: string }) {
  const { open } = useAdmin();
  return (
    <Group gap={4} wrap="nowrap">
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`Rotate ${called}`}
        onClick={() => open(<KeyDialog kind="rotate" keyId={id} />)}
      >
        Rotate
      </Button>
      <Button
        variant="subtle"
        color="red"
        size="compact-sm"
        aria-label={`Revoke ${called}`}
        onClick={() => open(<KeyDialog kind="revoke" keyId={id} />)}
      >
        Revoke
      </Button>
    </Group>
  );
}
