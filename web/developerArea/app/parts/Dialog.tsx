import { Modal } from "@mantine/core";
import { type ReactNode, useLayoutEffect } from "react";
import { useAdmin } from "../session/admin.ts";

interface DialogProps {
  title: string;
  size?: string;
  /** While true, nothing closes the dialog: neither Escape, nor a click outside, nor a button. */
  locked?: boolean;
  /** For the session dialog, which covers other dialogs. */
  onTop?: boolean;
  onClose?: () => void;
  children: ReactNode;
}

const nothing = () => {};

/** A dialog that is open while it is rendered. On close it returns the focus. */
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
  // A layout effect runs before the dialog takes the focus.
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
      // Otherwise screen readers would take the dialog's header for the page's.
      attributes={{ header: { role: "presentation" } }}
      closeButtonProps={{ "aria-label": "Close" }}
      zIndex={onTop ? 210 : 200}
      transitionProps={{ duration: 0 }}
      // Done here instead: Mantine's versions need a <style> element and a transition.
      lockScroll={false}
      returnFocus={false}
    >
      {children}
    </Modal>
  );
}

/** Returns the focus to the element that had it or, if that has been removed, to the page's content. */
function returnFocusFrom(opener: Element | null): () => void {
  return () => {
    const main = document.getElementById("main");
    const target = opener instanceof HTMLElement && opener !== document.body ? opener : main;
    // After the page has rendered without the dialog: the element may be removed by then.
    requestAnimationFrame(() => {
      target?.focus();
      if (document.activeElement !== target) main?.focus();
    });
  };
}
