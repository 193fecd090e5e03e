import { Unavailable } from "./tableErrors.ts";

/** For one call of a job. No client waits, and a call that times out must be repeated. Three attempts fit into the time of every consumer. */
export const jobCallTimeoutMs = 10_000;

/** Slower writes risk a second write to renew the change time. */
const slowMs = 1_600;
const firstLimit = 4;
export const maximumLimit = 16;

/**
 * Limits a job's concurrent calls to the table. The limit doubles with each round of fast calls. When a call is slow, times out or is
 * refused, the limit halves once, however many of the calls under way fail; from then on it grows by one a round. So jobs share a slow table
 * without filling its queue.
 */
export class CallLimit {
  #limit = firstLimit;
  #wasSlowed = false;
  #slowedMs = -Infinity;
  #underWay = 0;
  #waiting: (() => void)[] = [];
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  async run<Result>(call: () => Promise<Result>): Promise<Result> {
    while (this.#underWay >= Math.floor(this.#limit)) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#underWay += 1;
    const startMs = this.#nowMs();
    try {
      const result = await call();
      this.#learn(startMs, false);
      return result;
    } catch (error) {
      this.#learn(startMs, error instanceof Unavailable);
      throw error;
    } finally {
      this.#underWay -= 1;
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const resume of waiting) resume();
    }
  }

  #learn(startMs: number, isRefused: boolean): void {
    if (!isRefused && this.#nowMs() - startMs <= slowMs) {
      this.#limit = Math.min(maximumLimit, this.#limit + (this.#wasSlowed ? 1 / this.#limit : 1));
      return;
    }
    if (startMs < this.#slowedMs) return;
    this.#slowedMs = this.#nowMs();
    this.#wasSlowed = true;
    this.#limit = Math.max(1, this.#limit / 2);
  }
}
