/**
 * A signal that aborts with the first of these. It is not AbortSignal.any, because Node lacks that before 20.3, and some later versions
 * lose its aborts (nodejs/node#65995).
 */
export function anySignal(signals: readonly AbortSignal[]): AbortSignal {
  const controller = new AbortController();
  for (const signal of signals) {
    const abort = () => controller.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { signal: controller.signal });
  }
  return controller.signal;
}

/** Waits for the delay. @throws the signal's reason as soon as it aborts. */
export function delay(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((settle, fail) => {
    const stop = () => {
      clearTimeout(timer);
      fail(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      settle();
    }, delayMs);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
