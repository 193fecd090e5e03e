import { useSyncExternalStore } from "react";

const tickMs = 10_000;
let now = new Date();

/** The current time, updated every ten seconds, for relative times. */
export function useNow(): Date {
  return useSyncExternalStore(subscribe, () => now);
}

function subscribe(listener: () => void): () => void {
  const timer = setInterval(() => {
    if (Date.now() - now.getTime() >= tickMs) now = new Date();
    listener();
  }, tickMs);
  return () => clearInterval(timer);
}
