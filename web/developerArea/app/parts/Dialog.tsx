import { createContext, type ReactNode, use, useState } from "react";
import { AdminContext } from "../session/admin.ts";
import { DialogFrame } from "./DialogFrame.tsx";
import { LossDialog } from "./LossDialog.tsx";

interface DialogProps {
  title: string;
  size?: string;
  /** While true, nothing closes the dialog: neither Escape, nor a click outside, nor a button. */
  locked?: boolean;
  onClose?: () => void;
  children: ReactNode;
}

const nothing = () => {};
const CloseContext = createContext(nothing);

/** Closes the dialog around a component. Asks first if that loses something. */
export const useClose = () => use(CloseContext);

/** A dialog that is open while it is rendered. */
export function Dialog({ title, size = "lg", locked = false, onClose = nothing, children }: DialogProps) {
  const admin = use(AdminContext);
  const [asking, setAsking] = useState(false);
  const loss = admin?.loss ?? null;
  const isLocked = locked || loss?.locked === true;
  const isCovered = asking || admin?.covered === true;
  const close = loss ? () => setAsking(true) : onClose;
  return (
    <DialogFrame
      title={title}
      size={size}
      hasClose={!isLocked}
      closesLightly={!isLocked && !isCovered}
      onTop={false}
      onClose={close}
    >
      <CloseContext value={close}>{children}</CloseContext>
      {asking && loss && (
        <LossDialog action="Close" text={loss.text} onGoBack={() => setAsking(false)} onGoOn={onClose} />
      )}
    </DialogFrame>
  );
}
