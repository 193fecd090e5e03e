import { feedLines, type Line, monthLines, requestLines, sum } from "./bill.ts";
import { workloads } from "./workload.ts";

const million = 1_000_000;
/** At which a million requests come: X-Ray records one of every second and some others. */
const requestsPerSecond = 30;

/** The tables of docs/operators/cost.md, as Markdown, by the names that they have there. */
export function costTables(): Record<"million" | "month", string> {
  const requests = requestLines(million, million / requestsPerSecond);
  const records = feedLines(million);
  const months = workloads.map((workload) => monthLines(workload));
  const lineNames = months[0]?.map(({ what }) => what) ?? [];
  return {
    million: table(
      ["", "US$"],
      [
        ...requests.map(({ what, usd }) => [what, money(usd)]),
        ["**a million requests**", `**${money(sum(requests))}**`],
        ...records.map(({ what, usd }) => [what, money(usd)]),
        ["**a million records of the feed**", `**${money(sum(records))}**`],
      ],
    ),
    month: table(
      ["US$ a month", ...workloads.map(({ name }) => name)],
      [
        ...lineNames.map((what, index) => [what, ...months.map((lines) => money(lines[index]?.usd ?? 0))]),
        ["**in all**", ...months.map((lines: Line[]) => `**${money(sum(lines))}**`)],
      ],
    ),
  };
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${["---", ...head.slice(1).map(() => "---:")].join("|")}|`, ...rows.map(line)].join("\n");
}

function money(usd: number): string {
  return usd.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}
