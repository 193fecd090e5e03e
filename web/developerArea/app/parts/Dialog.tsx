import { Modal } from "@mantine/core";
import { type ReactNode, useLayoutEffect } from "react";
import { useAdmin } from "../session/admin.ts";

interface DialogProps {
  title: string;
  size?: string;
  /** While true, nothing closes the dialog: neither Escape, nor a click outside, nor a button. */
  locked?: boolean;
  /** The dialog about the session stands above another. */
  onTop?: boolean;
  onClose?: () => void;
  children: ReactNode;
}

const nothing = () => {};

/** A dialog that is open as long as it is rendered, and then gives the focus back. */
export function Dialog({
  title,
  size = "lg",
  locked = false,
  onTop = false,
  onClose = nothing,
  children,
}: DialogProps) {
  const { expired } = useAdmin();
  const closable = !locked && (onTop || !expired);
  // Before the dialog takes the focus.
  useLayoutEffect(() => returnFocusFrom(document.activeElement), []);
  return (
    <Modal
      opened
      title={title}
      classNames={{ title: "dialog-title" }}
      size={size}
      onClose={onClose}
      closeOnEscape={closable}
      closeOnClickOutside={closable}
      withCloseButton={!locked}
      // Otherwise the dialog's header would count as the page's.
      attributes={{ header: { role: "presentation" } }}
      closeButtonProps={{ "aria-label": "Close" }}
      zIndex={onTop ? 210 : 200}
      transitionProps={{ duration: 0 }}
      // Both are done here, without the <style> element and the transition that Mantine's own ways need.
      lockScroll={false}
      returnFocus={false}
    >
      {children}
    </Modal>
  );
}

/** Gives the focus back to what had it, or, if that is gone, to the page's content. */
function returnFocusFrom(opener: Element | null): () => void {
  return () => {
    const main = document.getElementById("main");
    const target = opener instanceof HTMLElement && opener !== document.body ? opener : main;
    // After the page has been drawn without the dialog: only then is it known what is still there.
    requestAnimationFrame(() => {
      target?.focus();
      if (document.activeElement !== target) main?.focus();
    });
  };
}
