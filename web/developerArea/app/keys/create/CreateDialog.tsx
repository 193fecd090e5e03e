import { Dialog } from "../../parts/Dialog.tsx";
import { CreateKey } from "./CreateKey.tsx";

/** Creates a key and shows its secret, once. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Create an API key" onClose={onClose}>
      <CreateKey onStored={onClose} />
    </Dialog>
  );
}
