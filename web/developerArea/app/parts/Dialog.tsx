import { createContext, type ReactNode, use, useState } from "react";
import { AdminContext } from "../session/admin.ts";
import { DialogFrame } from "./DialogFrame.tsx";
import { LossDialog } from "./LossDialog.tsx";

interface DialogProps {
  title: string;
  size?: string;
  /** Without it, only a button in the dialog closes it. */
  onClose?: () => void;
  children: ReactNode;
}

const nothing = () => {};
const CloseContext = createContext(nothing);

/** Closes the dialog around a component. Asks first if that loses something. */
export const useClose = () => use(CloseContext);

/** A dialog that is open while it is rendered. */
export function Dialog({ title, size = "lg", onClose, children }: DialogProps) {
  const admin = use(AdminContext);
  const [asking, setAsking] = useState(false);
  const loss = admin?.loss ?? null;
  const close = loss && onClose ? () => setAsking(true) : onClose;
  return (
    <DialogFrame
      title={title}
      size={size}
      isCovered={asking || admin?.covered}
      onClose={loss?.locked ? undefined : close}
    >
      <CloseContext value={close ?? nothing}>{children}</CloseContext>
      {asking && loss && onClose && (
        <LossDialog action="Close" text={loss.text} onGoBack={() => setAsking(false)} onGoOn={onClose} />
      )}
    </DialogFrame>
  );
}
