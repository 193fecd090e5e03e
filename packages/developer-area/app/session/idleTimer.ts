import * as z from "../zod.ts";

const Message = z.union([
  z.object({ kind: z.literal("signedOut"), subject: z.string() }),
  z.object({ kind: z.literal("active"), at: z.number() }),
]);
type Message = z.infer<typeof Message>;

/** The page's other tabs in this browser. Only pages of this origin can receive the messages. */
export class OtherTabs {
  readonly #channel = new BroadcastChannel("developer-area-tabs");

  send(message: Message): void {
    this.#channel.postMessage(message);
  }

  /** Returns a function that stops listening. */
  listen(receive: (message: Message) => void): () => void {
    const parse = ({ data }: MessageEvent) => {
      const message = Message.safeParse(data);
      if (message.success) receive(message.data);
    };
    this.#channel.addEventListener("message", parse);
    return () => this.#channel.removeEventListener("message", parse);
  }
}

const idleMs = 30 * 60_000;
const warningMs = 60_000;
const checkMs = 1000;
/** How often a tab reports its input to the others. */
const reportMs = 5000;
const inputs = ["pointerdown", "pointermove", "wheel", "keydown"];
const returns = ["visibilitychange", "focus", "pageshow"];

export type IdleTimer = ReturnType<typeof startIdleTimer>;

/**
 * Reports when no tab has had input for a while. It compares wall-clock times, because timers sleep with the machine, and checks before
 * it counts an input, so that the first input after a long sleep comes too late.
 */
export function startIdleTimer(tabs: OtherTabs, onWarning: (isWarning: boolean) => void, onIdle: () => void) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let last = Date.now();
  let reported = 0;
  let isWarning = false;

  const check = () => {
    const idle = Date.now() - last;
    if (idle >= idleMs) {
      stop();
      onIdle();
    } else if (isWarning !== idle >= idleMs - warningMs) {
      isWarning = !isWarning;
      onWarning(isWarning);
    }
  };
  /** Counts as input. */
  const stay = () => {
    check();
    if (signal.aborted) return;
    last = Date.now();
    if (last - reported >= reportMs) {
      reported = last;
      tabs.send({ kind: "active", at: last });
    }
    check();
  };
  // During the warning, only its buttons count: moving the pointer by accident must not hide it.
  const input = () => {
    check();
    if (!isWarning) stay();
  };
  const stopListening = tabs.listen((message) => {
    if (message.kind !== "active") return;
    last = Math.max(last, message.at);
    check();
  });
  const timer = setInterval(check, checkMs);
  const stop = () => {
    stopping.abort();
    clearInterval(timer);
    stopListening();
  };
  for (const type of inputs) document.addEventListener(type, input, { signal, capture: true, passive: true });
  for (const type of returns) window.addEventListener(type, check, { signal, capture: true });
  return { stay, stop };
}
