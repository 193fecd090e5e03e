/** One line of the table that the bench prints. */
export interface Row {
  what: string;
  unit: string;
  measured: number;
  /** The same, measured in the same run on something that does as little as possible. */
  baseline?: number;
  /** The most that may be measured. */
  maximum?: number;
  /** The most that may be measured for each of the baseline's. */
  maximumRatio?: number;
  /** A count is the same on every machine, and decides; a time is only told. */
  kind: "count" | "time";
}

export function isWithinBudget({ measured, baseline, maximum, maximumRatio }: Row): boolean {
  const isWithinMaximum = maximum === undefined || measured <= maximum;
  const isWithinRatio = maximumRatio === undefined || (baseline !== undefined && measured <= baseline * maximumRatio);
  return isWithinMaximum && isWithinRatio;
}

/** Rows as a table of fixed width. */
export function formatTable(rows: readonly Row[]): string {
  const head = ["what", "measured", "bare baseline", "ratio", "budget", "ok"];
  const lines = [head, ...rows.map(cellsOf)];
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? "").length)));
  const format = (cells: string[]) =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)));
  const [title = [], ...body] = lines.map(format);
  return [title, widths.map((width) => "-".repeat(width)), ...body].map((cells) => cells.join("  ")).join("\n");
}

function cellsOf(row: Row): string[] {
  const { what, unit, measured, baseline, maximum, maximumRatio } = row;
  const isBudgeted = maximum !== undefined || maximumRatio !== undefined;
  const within = isWithinBudget(row) ? "yes" : "NO";
  return [
    what,
    `${format(measured)} ${unit}`,
    baseline === undefined ? "" : `${format(baseline)} ${unit}`,
    baseline === undefined ? "" : (measured / baseline).toFixed(2),
    maximum !== undefined ? `${format(maximum)} ${unit}` : maximumRatio !== undefined ? `x ${maximumRatio}` : "",
    isBudgeted ? within : "",
  ];
}

/** Three digits, or as many as there are before the point. */
function format(value: number): string {
  return (value < 100 ? Number(value.toPrecision(3)) : Math.round(value)).toLocaleString("en");
}
