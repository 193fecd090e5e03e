import { createContext, type ReactNode, use, useLayoutEffect } from "react";
import type { AdminApi } from "../api/adminApi.ts";
import type { ApiKey, Webhook } from "../api/types.ts";
import type { Person, UnstoredSecret } from "./sessionState.ts";

/** Something that would be lost by closing the open dialog or signing out. */
export interface Loss {
  /** True for a secret, and for a request that may return one: nothing closes the dialog. */
  locked: boolean;
  text: string;
}

export interface Admin {
  person: Person;
  api: AdminApi;
  /** Shows a key from a response immediately, then refreshes everything. */
  showKey: (changed: ApiKey) => void;
  /** The same for a webhook; null if it is deleted. */
  showWebhook: (id: string, changed: Webhook | null) => void;
  /** A dialog about the session covers the page and its other dialog. */
  covered: boolean;
  signOut: () => void;
  /** Keeps a secret on the screen, even after signing out, until it is called with null. */
  keepSecret: (secret: UnstoredSecret | null) => void;
  loss: Loss | null;
  setLoss: (loss: Loss | null) => void;
  /** Opens a dialog in place of the open one. */
  open: (dialog: ReactNode) => void;
  /** Closes the open dialog, and announces its outcome. */
  done: (outcome?: string) => void;
  /** Reports the outcome of an action, on the page and to screen readers. */
  announce: (outcome: string) => void;
}

export const AdminContext = createContext<Admin | null>(null);

export function useAdmin(): Admin {
  const admin = use(AdminContext);
  if (admin === null) throw new Error("useAdmin needs a signed-in person.");
  return admin;
}

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
