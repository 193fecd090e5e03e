import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, test } from "@jest/globals";
import { ndjson, runImport } from "../cli/support/runProgram.ts";
import { useTestTable } from "../support/data/testTable.ts";
import { calendarRecords } from "./support/calendar.ts";
import type { SentRecord } from "./support/limitRecords.ts";
import { assertServed, type Row, rowsOf } from "./support/reads.ts";

const textOf = (file: string) => readFileSync(join(import.meta.dirname, "files", file), "utf8");

let target: string[] = [];
beforeAll(async () => {
  const { endpoint, tableName } = await useTestTable();
  target = ["--endpoint", endpoint, "--table", tableName];
});

const importRecords = (records: SentRecord[]) => runImport(["-", ...target], { stdin: ndjson(records) });

async function importAll(records: SentRecord[]): Promise<void> {
  const { code, stderr } = await importRecords(records);
  assert.deepEqual([code, stderr], [0, ""]);
}

/** A record with another value in one field, which is refused for this reason. */
async function assertRefused(record: SentRecord | undefined, field: string, value: unknown, reason: string) {
  assert.ok(record && field in record.data);
  const { code, stderr } = await importRecords([{ ...record, data: { ...record.data, [field]: value } }]);
  assert.deepEqual([code, stderr], [1, `line 1: data.${field}: ${reason}\n`]);
}

const wrongInstant =
  "Must be a date, YYYY-MM-DD, or a date and time, YYYY-MM-DDThh:mm or YYYY-MM-DDThh:mm:ss, with Z, an offset such as +01:00, or neither.";

const calendars = { "programme.ics": 128, "exchange.ics": 1 };

describe.each(Object.entries(calendars))("the iCalendar file %s", (file, count) => {
  const organisationId = 10 + Object.keys(calendars).indexOf(file);
  const records = calendarRecords(organisationId, textOf(file));
  const events = textOf(file)
    .replace(/\r?\n[ \t]/g, "")
    .split("BEGIN:VEVENT")
    .slice(1)
    .map((event) => event.split("END:VEVENT")[0] ?? "");
  const escaped = (text: unknown) =>
    String(text)
      .replaceAll(/[\\,;]/g, "\\$&")
      .replaceAll("\n", "\\n");
  const basic = (instant: unknown) => String(instant).replaceAll(/[-:]/g, "");

  test("comes back with each text, time and time zone of its events", async () => {
    await importAll(records);
    await assertServed(organisationId, records);
    const byId = (rows: Row[]) => rows.toSorted((one, other) => one.id - other.id);
    const served = byId(await rowsOf(organisationId, "/v1/events"));
    const dates = byId(await rowsOf(organisationId, "/v1/dates"));
    assert.deepEqual([events.length, served.length, dates.length], [count, count, count]);
    for (const [index, source] of events.entries()) {
      const { tag, name, type, description, date_created, time_zone_id }: Partial<Row> = served[index] ?? {};
      const { date, end_date, name: place }: Partial<Row> = dates[index] ?? {};
      const lines = { UID: tag, SUMMARY: name, CATEGORIES: type, DESCRIPTION: description, LOCATION: place };
      const times = { DTSTAMP: date_created, DTSTART: date, DTEND: end_date };
      const lineOf = (property: string) =>
        new RegExp(`^${property}(?:;(?:"[^"]*"|[^:"])*)?:(.*?)\\r?$`, "m").exec(source);
      for (const [property, value] of Object.entries(lines))
        assert.equal(lineOf(property)?.[1] ?? "", escaped(value ?? ""), property);
      for (const [property, value] of Object.entries(times))
        assert.equal(lineOf(property)?.[1] ?? "", basic(value ?? ""), property);
      if (time_zone_id === null) assert.doesNotMatch(source, /^DTSTART;TZID/m);
      else assert.ok(source.replaceAll('"', "").includes(`\nDTSTART;TZID=${time_zone_id}:`), String(time_zone_id));
    }
  });

  test("is rejected if its times are not converted", async () => {
    const [time = ""] = /(?<=^DTSTART.*:)\d{8}.*$/m.exec(textOf(file)) ?? [];
    await assertRefused(records[1], "date", time.trim(), wrongInstant);
  });
});
