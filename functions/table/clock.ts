/** The time by which writers order changes, and up to which readers see them. */
export interface Clock {
  nowMs: () => number;
  /** True if the time is within {@link maximumErrorMs} of DynamoDB's. If false, the time may be behind it, never ahead. */
  isSet: () => boolean;
  /** Monotonic, from an arbitrary start. */
  uptimeMs: () => number;
  /** Learns from a response's `Date` header. @param sentMs when the request was sent, by `uptimeMs`. */
  observe: (date: string | undefined, sentMs: number) => void;
}

/** A `Date` header has whole seconds, rounded down. */
const dateUnitMs = 1_000;
/** A response that took more than a second cannot set a clock this exactly. */
export const maximumErrorMs = 1_000;
/** After a larger step, someone has changed the local clock, or the computer slept. */
const maximumStepMs = 50;

/**
 * DynamoDB's time: the local clock, with the smallest correction that keeps it within {@link maximumErrorMs}. Once it is set, it is only corrected
 * if it disagrees with a response.
 */
export class TableClock implements Clock {
  readonly uptimeMs: () => number;
  readonly #localMs: () => number;
  #correctionMs = 0;
  /** The process's start, by the local clock at the latest response. */
  #startedMs: number | undefined;

  constructor(localMs: () => number = () => Date.now(), uptimeMs: () => number = () => performance.now()) {
    this.#localMs = localMs;
    this.uptimeMs = uptimeMs;
  }

  nowMs(): number {
    return this.#localMs() + this.#correctionMs;
  }

  isSet(): boolean {
    return this.#startedMs !== undefined && Math.abs(this.#bootMs() - this.#startedMs) < maximumStepMs;
  }

  observe(date: string | undefined, sentMs: number): void {
    const leastMs = Date.parse(date ?? "") - this.#localMs();
    if (Number.isNaN(leastMs)) return;
    const mostMs = leastMs + dateUnitMs + this.uptimeMs() - sentMs;
    const errorMs = this.isSet() ? mostMs - leastMs : maximumErrorMs;
    if (mostMs - leastMs > 2 * errorMs) {
      this.#correctionMs = leastMs;
      return;
    }
    this.#correctionMs = Math.min(Math.max(this.#correctionMs, mostMs - errorMs), leastMs + errorMs);
    this.#startedMs = this.#bootMs();
  }

  #bootMs(): number {
    return this.#localMs() - this.uptimeMs();
  }
}

/** DynamoDB responds in milliseconds; after a second, the response would come too late for the caller. */
const usualMs = 1_000;

let timeout: number | undefined;

/**
 * The limit for one try of a call to DynamoDB, up to the last byte of its response. Jobs without a waiting caller, and the local service, set a longer
 * one. It is read once, without zod, of which the bundled SDK client would contain a second copy.
 */
export function timeoutMs(): number {
  timeout ??= parse(process.env.DYNAMODB_TIMEOUT_MS);
  return timeout;
}

function parse(setting = String(usualMs)): number {
  const ms = Number(setting);
  if (ms > 0) return ms;
  throw new Error(`DYNAMODB_TIMEOUT_MS must be a number of milliseconds, not "${setting}".`);
}
