import { setTimeout as wait } from "node:timers/promises";
import { Problem } from "../../functions/problem.ts";

const patienceMs = 30_000;
const pauseMs = 100;

/**
 * Does something to the table, over and over while the table is unavailable: a database that has just started on a busy machine may
 * take longer for an answer than a request may wait. It must be something that may be done twice.
 */
export async function untilAvailable<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const deadlineMs = performance.now() + patienceMs; ; await wait(pauseMs)) {
    try {
      return await work();
    } catch (error) {
      const isUnavailable = error instanceof Problem && error.code === "service_unavailable";
      if (!isUnavailable || performance.now() > deadlineMs) throw error;
    }
  }
}
