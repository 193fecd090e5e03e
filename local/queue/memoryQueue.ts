import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";

/** A message in a queue. */
export interface Message {
  readonly id: string;
  readonly body: string;
  /** Texts that go with it, by name. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly sentMs: number;
  receiveCount: number;
  firstReceivedMs?: number;
  /** The queue that gave it up by itself, where one did. */
  deadLetterSourceArn?: string;
}

/** A message on its way to be deleted, or else to be received again. */
export interface ReceivedMessage extends Message {
  /** Of this receipt alone. */
  receiptHandle: string;
}

export interface QueueSettings {
  /** For how long nobody else receives a message. */
  visibilityTimeoutMs: number;
  /** Where a message goes that was received so often and never deleted. */
  redrive?: { deadLetters: MemoryQueue; maximumReceives: number };
}

export interface ReceiveOptions {
  visibilityTimeoutMs?: number | undefined;
  /** Bodies are received up to this many bytes in all, but always one. */
  maximumBytes?: number;
}

/** A queue in this process's memory that keeps SQS's promises, and is as forgetful of order. */
export class MemoryQueue {
  readonly arn: string;
  readonly settings: QueueSettings;
  readonly #visible = new Set<Message>();
  readonly #received = new Map<string, { message: Message; visibleAtMs: number }>();
  readonly #changes = new EventEmitter().setMaxListeners(0);

  constructor(name: string, settings: QueueSettings) {
    this.arn = `arn:aws:sqs:local:000000000000:${name}`;
    this.settings = settings;
  }

  send(body: string, attributes: Readonly<Record<string, string>> = {}): Message {
    const message: Message = { id: randomUUID(), body, attributes, sentMs: Date.now(), receiveCount: 0 };
    this.#add(message);
    return message;
  }

  /** Takes messages, which nobody else receives until the visibility timeout is over. */
  receive(maximumMessages: number, options: ReceiveOptions = {}): ReceivedMessage[] {
    const { visibilityTimeoutMs = this.settings.visibilityTimeoutMs, maximumBytes = Infinity } = options;
    this.#showExpired();
    const received: ReceivedMessage[] = [];
    let bytes = 0;
    for (const message of this.#visible) {
      if (received.length === maximumMessages) break;
      if (this.#isGivenUp(message)) continue;
      bytes += Buffer.byteLength(message.body);
      if (received.length > 0 && bytes > maximumBytes) break;
      received.push(this.#take(message, visibilityTimeoutMs));
    }
    return received;
  }

  /** Does nothing for a handle that is no longer its message's. */
  delete(receiptHandle: string): void {
    this.#received.delete(receiptHandle);
  }

  /** @returns false where the message is not being worked on. */
  changeVisibility(receiptHandle: string, visibilityTimeoutMs: number): boolean {
    const receipt = this.#received.get(receiptHandle);
    if (!receipt) return false;
    receipt.visibleAtMs = Date.now() + visibilityTimeoutMs;
    this.#changes.emit("change");
    return true;
  }

  purge(): void {
    this.#visible.clear();
    this.#received.clear();
  }

  /** How many messages can be received, and how many somebody is at work on. */
  counts(): { visible: number; received: number } {
    this.#showExpired();
    return { visible: this.#visible.size, received: this.#received.size };
  }

  /** Waits until there is something to receive, or for the signal. It does not keep the process alive. */
  async untilVisible(signal: AbortSignal): Promise<void> {
    for (this.#showExpired(); this.#visible.size === 0 && !signal.aborted; this.#showExpired()) {
      const waitMs = this.#nextVisibleMs() - Date.now();
      const timer = Number.isFinite(waitMs)
        ? setTimeout(() => this.#changes.emit("change"), waitMs).unref()
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
    // Whoever waits must know when this one may come again.
    this.#changes.emit("change");
    return { ...message, receiptHandle };
  }

  /** As with SQS, only whoever would receive a message once too often finds that it is to be given up. */
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
  }

  #nextVisibleMs(): number {
    return [...this.#received.values()].reduce((next, { visibleAtMs }) => Math.min(next, visibleAtMs), Infinity);
  }
}
