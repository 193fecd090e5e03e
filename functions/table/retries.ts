import { setTimeout as wait } from "node:timers/promises";
import { describeError, Unavailable } from "./tableErrors.ts";

/** Consecutive tries without an accepted item, before a writer gives up. The pauses between them add up to at most 33 seconds. */
export const maximumTries = 10;
const longestPauseMs = 10_000;

/** The table accepted nothing for too long. */
export class GivenUp extends Error {
  override readonly name = "GivenUp";
}

/** Waits before the next try, given the number of consecutive failures. */
export type Pause = (failedTries: number) => Promise<unknown>;

/** Waits for {@link pauseMs}, or until the signal aborts. */
export function backOff(signal: AbortSignal): Pause {
  return (failedTries) => wait(pauseMs(failedTries), undefined, { signal });
}

/**
 * A random pause, whose maximum doubles with each failed try. It is random so that writers that failed together do not retry together.
 * @param longestFirstMs the maximum of the first pause.
 * @param random from 0 to 1.
 */
export function pauseMs(failedTries: number, longestFirstMs = 100, random = Math.random()): number {
  return random * Math.min(longestPauseMs, longestFirstMs * 2 ** Math.max(0, failedTries - 1));
}

/**
 * Writes items until the table has accepted all of them.
 * @param write writes items, and returns those that the table did not accept.
 * @throws GivenUp after {@link maximumTries} consecutive tries without an accepted item.
 */
export async function retryWhileThrottled<Item>(
  items: Item[],
  write: (items: Item[]) => Promise<Item[]>,
  pause: Pause,
): Promise<void> {
  let failedTries = 0;
  for (let left = items; left.length > 0; ) {
    const before = left.length;
    let cause: Unavailable | undefined;
    try {
      left = await write(left);
    } catch (error) {
      cause = unavailability(error);
    }
    failedTries = left.length < before ? 0 : failedTries + 1;
    if (left.length > 0) await pauseOrGiveUp(failedTries, cause, pause);
  }
}

/**
 * @param call gets true after a failed try, whose writes may still have landed.
 * @throws GivenUp after {@link maximumTries} tries.
 */
export async function retryWhileUnavailable<Answer>(
  call: (isRepeated: boolean) => Promise<Answer>,
  pause: Pause,
): Promise<Answer> {
  for (let failedTries = 1; ; failedTries++) {
    try {
      return await call(failedTries > 1);
    } catch (error) {
      await pauseOrGiveUp(failedTries, unavailability(error), pause);
    }
  }
}

/** @throws the error if it is not {@link Unavailable}. */
function unavailability(error: unknown): Unavailable {
  if (!(error instanceof Unavailable)) throw error;
  return error;
}

async function pauseOrGiveUp(failedTries: number, cause: Unavailable | undefined, pause: Pause): Promise<void> {
  if (failedTries < maximumTries) return void (await pause(failedTries));
  const reason = cause ? describeError(cause) : "throttled";
  const message = `Gave up: the table accepted nothing in ${maximumTries} consecutive tries (${reason}).`;
  throw new GivenUp(message, { cause });
}
