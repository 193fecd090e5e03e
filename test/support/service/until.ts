import { setTimeout as wait } from "node:timers/promises";

/** Waits until a condition is met. @throws Error after the maximum. */
export async function until(isMet: () => Promise<boolean>, pollMs = 100, maximumMs = 120_000): Promise<void> {
  const endMs = Date.now() + maximumMs;
  while (!(await isMet())) {
    if (Date.now() > endMs) throw new Error(`Not met after ${maximumMs} ms: ${isMet}`);
    await wait(pollMs);
  }
}
