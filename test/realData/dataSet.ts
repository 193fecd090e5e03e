import * as z from "zod";

const Line = z.looseObject({
  type: z.enum(["event", "event_date", "ticket_category"]),
  event_id: z.int().optional(),
  data: z.looseObject({ id: z.int() }),
});
const Created = z.looseObject({ date_created: z.string().nullable() });
const Dated = z.looseObject({ event_id: z.int(), date: z.string() });
const Sorted = z.looseObject({ sort_index: z.int() });

type Row = z.infer<typeof Line>["data"];

/** The real data set in the API's order, read and sorted without the service's own code. */
export function parseDataSet(lines: readonly string[]) {
  const records = lines.map((line) => Line.parse(JSON.parse(line)));
  const rowsOf = (type: string) => records.filter((record) => record.type === type).map(({ data }) => data);

  const created = (row: Row) => instant(Created.parse(row).date_created);
  const events = rowsOf("event").sort((one, other) => compare(created(other), created(one)) || other.id - one.id);

  const starts = (row: Row) => instant(Dated.parse(row).date);
  const dates = Map.groupBy(rowsOf("event_date"), (row) => Dated.parse(row).event_id);
  for (const rows of dates.values())
    rows.sort((one, other) => compare(starts(one), starts(other)) || one.id - other.id);

  const position = (row: Row) => Sorted.parse(row).sort_index;
  const categories = new Map<number | undefined, Row[]>();
  for (const { type, event_id, data } of records) {
    if (type === "ticket_category") categories.set(event_id, [...(categories.get(event_id) ?? []), data]);
  }
  for (const rows of categories.values())
    rows.sort((one, other) => position(one) - position(other) || one.id - other.id);

  return { events, dates, categories };
}

/** In milliseconds. An instant without an offset counts as UTC, and null comes before all others. */
function instant(text: string | null): number {
  if (text === null) return -Infinity;
  const [date, time = "00:00:00Z"] = text.split("T");
  return new Date(`${date}T${time}${/[Z+-]/.test(time) ? "" : "Z"}`).getTime();
}

/** Unlike a difference, it treats two infinities as equal. */
function compare(one: number, other: number): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
