const terminalIntervalMs = 100;
const plainIntervalMs = 5_000;
const barWidth = 20;

/** Usually standard error. */
export interface Screen {
  isTTY?: boolean;
  columns?: number;
  write: (text: string) => unknown;
}

/**
 * Shows progress until stopped: on a terminal one line that is redrawn, elsewhere a new line every few seconds.
 *
 * @param fraction from 0 to 1; undefined if the total is unknown.
 * @returns `print` writes a line above the progress line. `stop` returns the elapsed seconds as text.
 */
export function showProgress(
  screen: Screen,
  records: () => number,
  fraction: () => number | undefined = () => undefined,
) {
  const startMs = performance.now();
  const isTerminal = screen.isTTY === true;
  const clear = isTerminal ? "\r\x1b[K" : "";

  function draw(): void {
    const done = fraction();
    const text = describeProgress(records(), done, performance.now() - startMs);
    if (!isTerminal) screen.write(`${text}\n`);
    else screen.write(`${clear}${(bar(done) + text).slice(0, (screen.columns || 80) - 1)}`);
  }

  const timer = setInterval(draw, isTerminal ? terminalIntervalMs : plainIntervalMs);
  return {
    print: (line: string) => screen.write(`${clear}${line}\n`),
    stop: () => {
      clearInterval(timer);
      screen.write(clear);
      return ((performance.now() - startMs) / 1000).toFixed(1);
    },
  };
}

/** For example `41 %, 34,500 records, 5,750 a second, 9 s left`. */
export function describeProgress(records: number, fraction: number | undefined, elapsedMs: number): string {
  const rate = Math.round(records / Math.max(elapsedMs / 1000, 0.001));
  const parts = [`${count(records)} records`, `${count(rate)} a second`];
  if (fraction === undefined) return parts.join(", ");
  const leftMs = (elapsedMs * (1 - fraction)) / fraction;
  const left = fraction > 0 ? [`${duration(leftMs)} left`] : [];
  return [`${Math.floor(fraction * 100)} %`, ...parts, ...left].join(", ");
}

/** Formats a whole number: `82,220`. */
export function count(number: number): string {
  return number.toLocaleString("en");
}

function bar(fraction: number | undefined): string {
  if (fraction === undefined) return "";
  const done = Math.floor(fraction * barWidth);
  return `${"█".repeat(done)}${"░".repeat(barWidth - done)} `;
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
