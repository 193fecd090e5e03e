import { CloseButton } from "@mantine/core";
import { useEffect, useState } from "react";

/** An object, so that the same text again is another toast. */
export interface ToastText {
  text: string;
}

interface ToastProps {
  toast: ToastText | null;
  onDismiss: () => void;
}

const shownMs = 8000;

/** The outcome of the last action, for a few seconds. It waits while the pointer or the focus is on it. */
export function Toast({ toast, onDismiss }: ToastProps) {
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  useEffect(() => {
    if (!toast || isHovered || isFocused) return;
    const timer = setTimeout(onDismiss, shownMs);
    return () => clearTimeout(timer);
  }, [toast, isHovered, isFocused, onDismiss]);
  const dismiss = () => {
    setHovered(false);
    setFocused(false);
    onDismiss();
    const target = document.querySelector("[role=dialog]") ?? document.getElementById("main");
    if (target instanceof HTMLElement) target.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the pointer only pauses it.
    <div
      className="toast"
      data-empty={toast ? undefined : ""}
      onMouseEnter={() => setHovered(true)}
      onMouseLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      {/* Always rendered, because screen readers announce only changes. */}
      <span role="status">{toast?.text}</span>
      {toast && <CloseButton aria-label="Dismiss" size="sm" onClick={dismiss} />}
    </div>
  );
}
