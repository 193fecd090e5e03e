export interface Row {
  what: string;
  measured: number;
  unit?: string;
  /** Only counts have a maximum: a time depends on the machine. */
  maximum?: number;
  /** The same measurement of something else, printed as a ratio. */
  baseline?: number;
}

const whatWidth = 70;
const numberWidth = 12;

/** Prints a row as soon as it is measured. A row over its maximum makes the exit code 1. */
export function printRow(row: Row): void {
  const { what, measured, unit = "", maximum, baseline } = row;
  const result =
    maximum !== undefined
      ? `${measured > maximum ? "OVER" : "ok  "}  at most ${format(maximum)} ${unit}`
      : baseline !== undefined
        ? `x ${(measured / baseline).toFixed(2)}`
        : "";
  const measuredText = `${format(measured)} ${unit}`.trim();
  console.log(`${what.padEnd(whatWidth)} ${measuredText.padStart(numberWidth)}   ${result}`.trim());
  if (maximum !== undefined && measured > maximum) process.exitCode = 1;
}

/** Three digits, or all digits before the point. */
function format(value: number): string {
  return (value < 100 ? Number(value.toPrecision(3)) : Math.round(value)).toLocaleString("en");
}

/** The value in the middle; of an even number, the higher of the two. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
