import { Modal } from "@mantine/core";
import { type ReactNode, useLayoutEffect } from "react";

interface DialogFrameProps {
  title: string;
  size?: string;
  /** For a dialog that may cover another one. */
  onTop?: boolean;
  /** Whether another dialog covers this one. */
  isCovered?: boolean;
  /** Without it, only a button in the dialog closes it. */
  onClose?: () => void;
  children: ReactNode;
}

/** Mantine's modal, set up for this page. On close it returns the focus. */
export function DialogFrame({ title, size = "md", onTop, isCovered, onClose, children }: DialogFrameProps) {
  const closesLightly = onClose !== undefined && !isCovered;
  // A layout effect runs before the dialog takes the focus.
  useLayoutEffect(() => returnFocusFrom(document.activeElement), []);
  return (
    <Modal
      opened
      title={title}
      classNames={{ title: "dialog-title", content: "dialog" }}
      size={size}
      onClose={onClose ?? (() => {})}
      withCloseButton={onClose !== undefined}
      closeOnEscape={closesLightly}
      closeOnClickOutside={closesLightly}
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
    // After the page has rendered without the dialog: the element may be removed by then.
    requestAnimationFrame(() => {
      if (opener instanceof HTMLElement && opener !== document.body) opener.focus();
      if (document.activeElement === document.body) document.getElementById("main")?.focus();
    });
  };
}
