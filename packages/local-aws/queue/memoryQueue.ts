import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";

interface Message {
  readonly id: string;
  readonly body: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** A standard queue ignores it when ordering messages: no group waits for another. */
  readonly groupId?: string | undefined;
  readonly sentMs: number;
  receiveCount: number;
  firstReceivedMs?: number;
  /** The queue that moved it to this dead-letter queue. */
  deadLetterSourceArn?: string;
}

/** A message in flight: it is deleted, or becomes visible again. */
export interface ReceivedMessage extends Message {
  /** New for every receipt. */
  receiptHandle: string;
}

interface QueueSettings {
  visibilityTimeoutMs: number;
  /** Moves a message after this number of receipts without a deletion. */
  redrive?: { deadLetters: MemoryQueue; maximumReceives: number };
}

interface Sent {
  attributes?: Readonly<Record<string, string>>;
  groupId?: string | undefined;
  delayMs?: number;
}

/** An in-memory queue with the guarantees of a standard SQS queue: at least once, in no fixed order. */
export class MemoryQueue {
  readonly arn: string;
  readonly settings: QueueSettings;
  /** The queue whose dead letters this one gets. */
  #source: MemoryQueue | undefined;
  readonly #visible = new Set<Message>();
  readonly #received = new Map<string, { message: Message; visibleAtMs: number }>();
  readonly #delayed = new Map<Message, number>();
  readonly #changes = new EventEmitter().setMaxListeners(0);

  constructor(name: string, settings: QueueSettings) {
    this.arn = `arn:aws:sqs:local:000000000000:${name}`;
    this.settings = settings;
    if (settings.redrive) settings.redrive.deadLetters.#source = this;
  }

  send(body: string, { attributes = {}, groupId, delayMs = 0 }: Sent = {}): Message {
    const nowMs = Date.now();
    const message: Message = { id: randomUUID(), body, attributes, groupId, sentMs: nowMs, receiveCount: 0 };
    if (delayMs === 0) this.#add(message);
    else {
      this.#delayed.set(message, nowMs + delayMs);
      this.#changes.emit("change");
    }
    return message;
  }

  receive(maximumMessages: number, visibilityTimeoutMs = this.settings.visibilityTimeoutMs): ReceivedMessage[] {
    this.#showExpired();
    const received: ReceivedMessage[] = [];
    for (const message of this.#visible) {
      if (received.length === maximumMessages) break;
      if (this.#isGivenUp(message)) continue;
      received.push(this.#take(message, visibilityTimeoutMs));
    }
    return received;
  }

  /** Ignores an expired receipt handle. */
  delete(receiptHandle: string): void {
    this.#received.delete(receiptHandle);
  }

  /** @returns false if the message is not in flight. */
  changeVisibility(receiptHandle: string, visibilityTimeoutMs: number): boolean {
    const receipt = this.#received.get(receiptHandle);
    if (!receipt) return false;
    receipt.visibleAtMs = Date.now() + visibilityTimeoutMs;
    this.#changes.emit("change");
    return true;
  }

  /** Sends the visible messages of a dead-letter queue back, like a move task of SQS. @returns false for any other queue. */
  moveBack(): boolean {
    this.#showExpired();
    for (const { body, attributes, groupId } of this.#visible) this.#source?.send(body, { attributes, groupId });
    if (this.#source) this.#visible.clear();
    return this.#source !== undefined;
  }

  purge(): void {
    this.#visible.clear();
    this.#received.clear();
    this.#delayed.clear();
  }

  delayed(): { body: string }[] {
    this.#showExpired();
    return [...this.#delayed.keys()];
  }

  counts(): { visible: number; received: number } {
    this.#showExpired();
    return { visible: this.#visible.size, received: this.#received.size };
  }

  /** Waits until a message is visible or the signal aborts. Does not keep the process alive. */
  async untilVisible(signal: AbortSignal): Promise<void> {
    for (this.#showExpired(); this.#visible.size === 0 && !signal.aborted; this.#showExpired()) {
      const waitMs = this.#nextVisibleMs() - Date.now();
      const timer = Number.isFinite(waitMs)
        ? setTimeout(() => this.#changes.emit("change"), Math.max(0, waitMs)).unref()
        : undefined;
      await once(this.#changes, "change", { signal }).catch(() => undefined);
      clearTimeout(timer);
    }
  }

  #add(message: Message): void {
    this.#visible.add(message);
    this.#changes.emit("change");
  }

  #take(message: Message, visibilityTimeoutMs: number): ReceivedMessage {
    const nowMs = Date.now();
    message.receiveCount += 1;
    message.firstReceivedMs ??= nowMs;
    const receiptHandle = randomUUID();
    this.#visible.delete(message);
    this.#received.set(receiptHandle, { message, visibleAtMs: nowMs + visibilityTimeoutMs });
    // Waiting consumers must include the time at which this message becomes visible again.
    this.#changes.emit("change");
    return { ...message, receiptHandle };
  }

  /** Like SQS, moves a message to the dead-letter queue only when it would be received once too often. */
  #isGivenUp(message: Message): boolean {
    const { redrive } = this.settings;
    if (!redrive || message.receiveCount < redrive.maximumReceives) return false;
    this.#visible.delete(message);
    message.deadLetterSourceArn = this.arn;
    redrive.deadLetters.#add(message);
    return true;
  }

  #showExpired(): void {
    const nowMs = Date.now();
    for (const [receiptHandle, { message, visibleAtMs }] of this.#received) {
      if (visibleAtMs > nowMs) continue;
      this.#received.delete(receiptHandle);
      this.#visible.add(message);
    }
    for (const [message, visibleAtMs] of this.#delayed) {
      if (visibleAtMs > nowMs) continue;
      this.#delayed.delete(message);
      this.#visible.add(message);
    }
  }

  #nextVisibleMs(): number {
    const times = [...this.#received.values()].map(({ visibleAtMs }) => visibleAtMs);
    return [...times, ...this.#delayed.values()].reduce((next, ms) => Math.min(next, ms), Infinity);
  }
}
