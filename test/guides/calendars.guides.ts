import assert from "node:assert/strict";
import { exec } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { test } from "@jest/globals";
import * as z from "zod";
import { baseUrl, one, two } from "../support/service/testedService.ts";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";
import { followGuide, languages } from "./guideExamples.ts";

const inShell = promisify(exec);
const fallbackZone = "Asia/Kolkata";
const directory = temporaryDirectory();

/** Each prints the start, end, summary and sequence of every VEVENT by its UID: days as dates, times in UTC. */
const readers = {
  "ical.mjs": `import ICAL from "ical.js";
    import { readFileSync } from "node:fs";
    const text = (time) => (time.isDate ? time.toString() : time.toJSDate().toISOString());
    const events = new ICAL.Component(ICAL.parse(readFileSync(process.argv[2], "utf8"))).getAllSubcomponents("vevent");
    const rows = events.map((one) => new ICAL.Event(one)).map((one) => [one.uid, [text(one.startDate), text(one.endDate), one.summary, one.sequence]]);
    console.log(JSON.stringify(Object.fromEntries(rows)));`,
  "nodeIcal.mjs": `import ical from "node-ical";
    const text = (time) => {
      if (!time.dateOnly) return time.toISOString();
      return new Date(Date.UTC(time.getFullYear(), time.getMonth(), time.getDate())).toISOString().slice(0, 10);
    };
    const events = Object.values(ical.sync.parseFile(process.argv[2])).filter(({ type }) => type === "VEVENT");
    const rows = events.map((one) => [one.uid, [text(one.start), text(one.end), one.summary, Number(one.sequence)]]);
    console.log(JSON.stringify(Object.fromEntries(rows)));`,
  "reader.py": `import json, sys
from datetime import datetime
from icalendar import Calendar
def text(time):
    return time.isoformat().replace("+00:00", ".000Z") if isinstance(time, datetime) else time.isoformat()
events = Calendar.from_ical(open(sys.argv[1], "rb").read()).walk("VEVENT")
print(json.dumps({str(one["UID"]): [text(one["DTSTART"].dt), text(one["DTEND"].dt), str(one["SUMMARY"]), one["SEQUENCE"]] for one in events}))`,
};

for (const [name, code] of Object.entries(readers)) await writeFile(join(directory, name), code);
await inShell("npm install --no-audit --no-fund ical.js@2.2.1 node-ical@0.27.2", { cwd: directory });
await inShell("python3 -m venv .venv && .venv/bin/pip install --quiet icalendar==7.3.2", { cwd: directory });

const Read = z.record(z.string(), z.tuple([z.string(), z.string(), z.string(), z.int()]));

async function readWith(reader: string, calendar: string, TZ: string) {
  const program = reader.endsWith(".py") ? ".venv/bin/python" : process.execPath;
  const options = { cwd: directory, env: { ...process.env, TZ } };
  return Read.parse(JSON.parse((await inShell(`'${program}' ${reader} '${calendar}'`, options)).stdout));
}

/** An instant as the API would show it without an offset, in a zone. */
function localText(instant: string, timeZone: string): string {
  const form = { timeZone, dateStyle: "short", timeStyle: "medium" } as const;
  return new Intl.DateTimeFormat("sv", form).format(new Date(instant)).replace(" ", "T");
}

/** JavaScript's Date reads no other offset. */
function withFullOffset(text: string): string {
  return text.replace(/([+-]\d\d):?(\d\d)?$/, (_offset, hours, minutes = "00") => `${hours}:${minutes}`);
}

/** Compares what a reader understood with what the API returned. */
function assertSame(read: string, text: string, zone: string): void {
  if (!text.includes("T")) assert.equal(read, text);
  else if (/(Z|[+-]\d\d(:?\d\d)?)$/.test(text)) assert.equal(read, new Date(withFullOffset(text)).toISOString());
  else assert.equal(localText(read, zone), text.length === "2027-07-08T20:00".length ? `${text}:00` : text);
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 24 * 60 * 60 * 1_000).toISOString().slice(0, 10);
}

for (const language of languages) {
  test.each([1, 2])(
    `three libraries read every date of organisation %s in the ${language} example's file`,
    async (id) => {
      const client = id === 1 ? one : two;
      const environment = {
        BASE_URL: baseUrl,
        API_KEY: client.credential,
        TIME_ZONE: fallbackZone,
        DOMAIN: "example.org",
      };
      const followed = await followGuide("calendars", language, environment);
      const events = new Map((await client.rows("/v1/events")).map((event) => [String(event.id), event]));
      const dates = (await client.rows("/v1/dates")).filter(({ event_id }) => {
        const event = events.get(String(event_id));
        return event && !event.private && !event.unlisted;
      });
      assert.ok(dates.length > 20);
      const changes = await client.rows("/v1/changes", [200]);
      const changedAt = new Map(changes.map(({ type, id, changed_at }) => [`${type} ${id}`, changed_at]));
      await followed.run();
      for (const reader of Object.keys(readers)) {
        for (const zone of ["America/New_York", "Pacific/Auckland"]) {
          const read = await readWith(reader, join(followed.directory, "calendar.ics"), zone);
          assert.equal(Object.keys(read).length, dates.length);
          for (const row of dates) {
            const event = events.get(String(row.event_id));
            const [start, end, summary, sequence] = read[`date-${row.id}@example.org`] ?? assert.fail(String(row.id));
            const zoneId = String(event?.time_zone_id ?? fallbackZone);
            const [date, endDate] = [String(row.date), row.end_date];
            assertSame(start, date, zoneId);
            if (!date.includes("T")) assert.equal(end, dayAfter(String(endDate ?? date)));
            else if (endDate !== null) assertSame(end, String(endDate), zoneId);
            else assert.equal(Date.parse(end) - Date.parse(start), 2 * 60 * 60 * 1_000);
            const changed = [changedAt.get(`event_date ${row.id}`), changedAt.get(`event ${row.event_id}`)];
            assert.equal(sequence, Math.floor(Math.max(...changed.map((time) => Date.parse(String(time)))) / 60_000));
            assert.equal(summary, [event?.name, row.name].filter(Boolean).join(" – "));
          }
        }
      }
    },
  );
}
