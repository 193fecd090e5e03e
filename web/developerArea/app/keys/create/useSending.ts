import { useRef, useState } from "react";
import { ApiError } from "../../api/apiError.ts";
import type { Loss } from "../../session/admin.ts";

export interface NewKey {
  name: string;
  scopes: string[];
}

/** Sends one creation at a time, and keeps what is known about the last one. */
export function useSending(onCreate: (key: NewKey) => Promise<void>) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  /** The name of a key that may exist, because no response said whether it does. */
  const [mayExist, setMayExist] = useState<string | null>(null);
  // A ref, because state updates only at the next render, and the second click of a double click may come first.
  const sending = useRef(false);
  const send = async (key: NewKey) => {
    if (sending.current) return;
    sending.current = true;
    setBusy(true);
    setError(null);
    try {
      await onCreate(key);
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
      if (isUncertain(failure)) setMayExist(key.name);
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };
  return { busy, error, mayExist, send };
}

/** After a 4xx response, the key does not exist. After any other failure of a request that was sent, it may. */
function isUncertain(error: unknown): boolean {
  if (!(error instanceof ApiError) || !error.isSent) return false;
  return error.status === null || error.status < 400 || error.status >= 500;
}

/** What closing the form would lose. */
export function lossOf(busy: boolean, mayExist: string | null, isChanged: boolean): Loss | null {
  if (busy) return { locked: true, text: "A key is being created, and only this page can show its secret." };
  if (mayExist !== null) {
    const text = `The key “${mayExist}” may exist, although its secret was not shown. If it is in the list, revoke it.`;
    return { locked: false, text };
  }
  return isChanged ? { locked: false, text: "What you entered is not saved." } : null;
}
