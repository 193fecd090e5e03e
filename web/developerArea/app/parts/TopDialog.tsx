import type { ReactNode } from "react";
import { DialogFrame } from "./DialogFrame.tsx";

interface TopDialogProps {
  title: string;
  /** Without it, only a button in the dialog closes it. */
  onClose?: () => void;
  children: ReactNode;
}

/** A dialog that may cover another one: about the session, or about what would be lost. */
export function TopDialog({ title, onClose, children }: TopDialogProps) {
  const closes = onClose !== undefined;
  return (
    <DialogFrame title={title} size="md" hasClose={closes} closesLightly={closes} onTop onClose={onClose ?? (() => {})}>
      {children}
    </DialogFrame>
  );
}
