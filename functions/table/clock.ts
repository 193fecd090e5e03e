/** The time by which writers order changes, and up to which readers see them. */
export interface Clock {
  nowMs: () => number;
  /** True if the time is known to agree with DynamoDB's. */
  isSet: () => boolean;
  /** A lower bound of the time, from the latest response, however slow it was. */
  atLeastMs: () => number;
  /** Monotonic, from an arbitrary start. */
  uptimeMs: () => number;
  /**
   * Learns from a response.
   * @param date its `Date` header.
   * @param sentMs when the request was sent, by `uptimeMs`.
   */
  observe: (date: string | undefined, sentMs: number) => void;
}

/** A clock that needs no correction. */
export function clockOf(nowMs: () => number): Clock {
  return { nowMs, isSet: () => true, atLeastMs: nowMs, uptimeMs: () => 0, observe: () => undefined };
}

/** A `Date` header has whole seconds, rounded down. */
const dateUnitMs = 1_000;
/** The time of a slower response is too uncertain: with the unit above, two clocks differ by five seconds at most. */
const maximumElapsedMs = 1_500;
/** Someone changed the local clock, or the computer slept. */
const maximumStepMs = 1_000;

/**
 * DynamoDB's time: the local clock, with the smallest correction that agrees with the latest response. A correct local clock is never corrected;
 * a wrong one is corrected to within a second and the time of a request.
 */
export class TableClock implements Clock {
  readonly uptimeMs: () => number;
  readonly #localMs: () => number;
  #correctionMs = 0;
  /** The process's start, by the local clock at the latest response. */
  #startedMs: number | undefined;
  /** The first value of {@link atLeastMs}. Nothing has passed before the first response. */
  #beganMs = -Infinity;

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

  atLeastMs(): number {
    return this.#beganMs + this.uptimeMs();
  }

  observe(date: string | undefined, sentMs: number): void {
    const answeredMs = Date.parse(date ?? "");
    const elapsedMs = this.uptimeMs() - sentMs;
    if (Number.isNaN(answeredMs)) return;
    this.#beganMs = answeredMs - this.uptimeMs();
    if (elapsedMs > maximumElapsedMs) return;
    const receivedMs = this.#localMs();
    const atLeast = answeredMs - receivedMs;
    const atMost = answeredMs + dateUnitMs - 1 - (receivedMs - elapsedMs);
    this.#correctionMs = Math.min(Math.max(this.#correctionMs, Math.ceil(atLeast)), Math.floor(atMost));
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
 * one. It is read once, without zod, which the file of the SDK's client would contain again.
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
