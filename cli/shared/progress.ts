import type { Io } from "./command.ts";

/** Prints the number of records, and how many a second, every five seconds. @returns `stop` returns the elapsed seconds as text. */
export function showProgress(stderr: Io["stderr"], records: () => number) {
  const startMs = performance.now();
  const rate = () => count(Math.round((records() * 1_000) / (performance.now() - startMs)));
  const timer = setInterval(() => stderr.write(`${count(records())} records, ${rate()} a second\n`), 5_000);
  return {
    stop: () => {
      clearInterval(timer);
      return ((performance.now() - startMs) / 1000).toFixed(1);
    },
  };
}

/** Formats a whole number: `82,220`. */
export function count(number: number): string {
  return number.toLocaleString("en");
}
