import { use, useLayoutEffect } from "react";
import { AdminContext, type Loss } from "./admin.ts";

/** Declares what the open dialog would lose now. Closing it, signing out and leaving the page then ask first. */
export function useLoss(loss: Loss | null): void {
  const setLoss = use(AdminContext)?.setLoss;
  const { locked, text } = loss ?? {};
  // A layout effect runs before the next key, such as Escape, arrives.
  useLayoutEffect(() => {
    if (text === undefined) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    setLoss?.({ locked: locked === true, text });
    return () => {
      window.removeEventListener("beforeunload", warn);
      setLoss?.(null);
    };
  }, [setLoss, locked, text]);
}
