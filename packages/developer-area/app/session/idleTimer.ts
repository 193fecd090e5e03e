/** Between the page's tabs in this browser. Only pages of this origin can send and receive messages. */
export type TabMessage = { kind: "signedOut"; subject: string } | { kind: "active"; at: number };

const idleMs = 30 * 60_000;
const warningMs = 60_000;
const checkMs = 1000;
/** Minimum time between a tab's reports of input to the others. */
const reportMs = 5000;
const inputs = ["pointerdown", "pointermove", "wheel", "keydown"];
const returns = ["visibilitychange", "focus", "pageshow"];

export type IdleTimer = ReturnType<typeof startIdleTimer>;

/**
 * Reports when no tab has had input for a while. It compares wall-clock times, because timers sleep with the machine, and checks before
 * it counts an input, so that the first input after a long sleep comes too late.
 */
export function startIdleTimer(tabs: BroadcastChannel, onWarning: (isWarning: boolean) => void, onIdle: () => void) {
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
      tabs.postMessage({ kind: "active", at: last } satisfies TabMessage);
    }
    check();
  };
  // During the warning, only its buttons count: moving the pointer by accident must not hide it.
  const input = () => {
    check();
    if (!isWarning) stay();
  };
  const hear = ({ data }: MessageEvent<TabMessage>) => {
    if (data.kind !== "active") return;
    last = Math.max(last, data.at);
    check();
  };
  const timer = setInterval(check, checkMs);
  const stop = () => {
    stopping.abort();
    clearInterval(timer);
  };
  tabs.addEventListener("message", hear, { signal });
  for (const type of inputs) document.addEventListener(type, input, { signal, capture: true, passive: true });
  for (const type of returns) window.addEventListener(type, check, { signal, capture: true });
  return { stay, stop };
}
