import { useRef, useState } from "react";
import { ApiError } from "../api/apiError.ts";

/** Sends one request at a time, and keeps what is known about the last one. */
export function useSending<Input>(work: (input: Input) => Promise<void>) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  /** The input of a request that may have succeeded, because no response said whether it did. */
  const [unanswered, setUnanswered] = useState<Input | null>(null);
  // A ref, because state updates only at the next render, and the second click of a double click may come first.
  const sending = useRef(false);
  const send = async (input: Input) => {
    if (sending.current) return;
    sending.current = true;
    setBusy(true);
    setError(null);
    try {
      await work(input);
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)));
      if (isUncertain(failure)) setUnanswered(input);
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };
  return { busy, error, unanswered, send };
}

/** A request with a 4xx response has failed. After any other failure, a request that was sent may have succeeded. */
function isUncertain(error: unknown): boolean {
  if (!(error instanceof ApiError) || !error.isSent) return false;
  return error.status === null || error.status < 400 || error.status >= 500;
}
