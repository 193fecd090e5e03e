import { setTimeout as wait } from "node:timers/promises";

const pollMs = 100;
const maximumMs = 120_000;

/** Waits until a condition is met. @throws Error after two minutes. */
export async function until(isMet: () => Promise<boolean>): Promise<void> {
  const endMs = Date.now() + maximumMs;
  while (!(await isMet())) {
    if (Date.now() > endMs) throw new Error(`Not met after ${maximumMs} ms: ${isMet}`);
    await wait(pollMs);
  }
}
