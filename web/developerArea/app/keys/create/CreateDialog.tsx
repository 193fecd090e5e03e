import { useState } from "react";
import { Dialog } from "../../parts/Dialog.tsx";
import { useAdmin } from "../../session/admin.ts";
import { CreateKey } from "./CreateKey.tsx";

/** Creates a key and shows its secret, once. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const { announce } = useAdmin();
  const [locked, setLocked] = useState(false);
  return (
    <Dialog title="Create an API key" locked={locked} onClose={onClose}>
      <CreateKey
        onLock={setLocked}
        onStored={({ name }) => {
          announce(`Key “${name}” is created and active.`);
          onClose();
        }}
      />
    </Dialog>
  );
}
