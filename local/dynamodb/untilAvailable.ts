import { setTimeout as wait } from "node:timers/promises";
import { Problem } from "../../functions/problem.ts";

const timeoutMs = 30_000;
const pauseMs = 100;

/**
 * Retries an idempotent operation while the table is unavailable. On a busy machine, the first responses of a new database may take
 * longer than a request's timeout.
 */
export async function untilAvailable<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const deadlineMs = performance.now() + timeoutMs; ; await wait(pauseMs)) {
    try {
      return await work();
    } catch (error) {
      const isUnavailable = error instanceof Problem && error.code === "service_unavailable";
      if (!isUnavailable || performance.now() > deadlineMs) throw error;
    }
  }
}
