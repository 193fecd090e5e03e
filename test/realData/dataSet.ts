import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import * as z from "zod";
import { attendeeRecord, orderRecord } from "../support/data/records.ts";
import { cases } from "../support/jest/cases.ts";
import { Row } from "../support/sync/mirror.ts";

/** The path of the real data set, which is not part of the repository. */
export function realDataFile(): string {
  const { REAL_DATA_FILE: file } = process.env;
  if (file === undefined) throw new Error("REAL_DATA_FILE must be the path of the real data set.");
  if (!existsSync(file)) throw new Error(`REAL_DATA_FILE is ${file}, which does not exist.`);
  return file;
}

/** The lines of the real data set. Every second event gets a currency, because the data set has none. */
export async function dataSetLines(file: string): Promise<string[]> {
  const text = gunzipSync(await readFile(file)).toString();
  const lines = text.trim().split("\n");
  return lines.map((line, index) =>
    index % 2 === 0 ? line.replace('"currency_symbol":"$"', '"currency_symbol":"$","currency":"USD"') : line,
  );
}

/** A record's data as the API serves it: an event's currency comes last, and is null if the record lacks it. */
function served<Data extends object>(data: Data): Data {
  if (!("currency_symbol" in data)) return data;
  const { currency = null, ...others } = data as Data & { currency?: string };
  return { ...others, currency } as unknown as Data;
}

/** Addresses as people write them. */
const addresses = (person: number) => [
  `visitor${person}@example.org`,
  `Visitor${person}@Example.ORG`,
  ` visitor${person}@example.org `,
  `jürgen+${person}@ÜBUNG.example`,
];

/** Invented sales: for each date an order and an attendee of one of a hundred people, with or without an address. */
export function salesFor(organisationId: number, dates: { id: number; event_id: number }[]) {
  return dates.flatMap(({ id, event_id }, index) => {
    const email = index % 7 === 0 ? null : (addresses(index % 100)[index % 4] ?? null);
    const parents = { event_id, date_id: id };
    const date_created = new Date(Date.UTC(2026, 0, 1, 0, index % 500)).toISOString();
    return [
      orderRecord(organisationId, id, { ...parents, email, date_created, reference: `Ord-${id % 1_000}` }),
      attendeeRecord(organisationId, id, { ...parents, order_id: id, email, date_created }),
    ];
  });
}

/** Every twentieth event of the data set with all of its dates and ticket categories; with THOROUGH=1, all lines. */
export function someOf(lines: string[]): string[] {
  const eventIds = lines.map((line) => {
    const { type, event_id, data } = JSON.parse(line);
    return type === "event" ? data.id : (event_id ?? data.event_id);
  });
  const chosen = new Set([...new Set(eventIds)].filter((_, index) => index % 20 === 0));
  return cases(
    lines.filter((_, index) => chosen.has(eventIds[index])),
    lines,
  );
}

/** The row that a mirror has for a line's record. */
export function rowOf(line: string): Row {
  const { type, event_id, data } = JSON.parse(line);
  return Row.parse({ type, id: data.id, ...(event_id !== undefined && { event_id }), data: served(data) });
}

const Line = z.looseObject({
  type: z.enum(["event", "event_date", "ticket_category"]),
  event_id: z.int().optional(),
  data: z.looseObject({ id: z.int() }),
});
const Created = z.looseObject({ date_created: z.string().nullable() });
const Dated = z.looseObject({ event_id: z.int(), date: z.string() });
const Sorted = z.looseObject({ sort_index: z.int() });

type Data = z.infer<typeof Line>["data"];

/** The real data set in the API's order, read and sorted without the service's own code. */
export function parseDataSet(lines: readonly string[]) {
  const records = lines.map((line) => Line.parse(JSON.parse(line)));
  const rowsOf = (type: string) => records.filter((record) => record.type === type).map(({ data }) => served(data));

  const created = (row: Data) => instant(Created.parse(row).date_created);
  const events = rowsOf("event").sort((one, other) => compare(created(other), created(one)) || other.id - one.id);

  const starts = (row: Data) => instant(Dated.parse(row).date);
  const dates = Map.groupBy(rowsOf("event_date"), (row) => Dated.parse(row).event_id);
  for (const rows of dates.values())
    rows.sort((one, other) => compare(starts(one), starts(other)) || one.id - other.id);

  const position = (row: Data) => Sorted.parse(row).sort_index;
  const categories = new Map<number | undefined, Data[]>();
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
