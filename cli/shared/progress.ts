import type { Io } from "./command.ts";

/** Prints the number of records every five seconds. @returns `stop` returns the elapsed seconds as text. */
export function showProgress(stderr: Io["stderr"], records: () => number) {
  const startMs = performance.now();
  const timer = setInterval(() => stderr.write(`${count(records())} records\n`), 5_000);
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
