import * as z from "zod";
import { recordResources } from "../../../functions/resources/index.ts";
import type { SentRecord } from "./limitRecords.ts";

interface Property {
  parameters: string;
  value: string;
}

/** An event and a date for each VEVENT of an iCalendar file (RFC 5545). */
export function calendarRecords(organisationId: number, calendar: string): SentRecord[] {
  return eventsIn(calendar).flatMap((properties, index) => {
    const id = index + 1;
    const text = (name: string) => unescaped(properties.get(name)?.value);
    const start = properties.get("DTSTART");
    const event = {
      id,
      organisation_id: organisationId,
      tag: text("UID") ?? "",
      name: text("SUMMARY"),
      type: text("CATEGORIES"),
      description: text("DESCRIPTION"),
      date_created: instantOf(properties.get("DTSTAMP")),
      time_zone_id: /TZID="?([^"]*)/.exec(start?.parameters ?? "")?.[1] ?? null,
    };
    const date = {
      id,
      event_id: id,
      date: instantOf(start),
      end_date: instantOf(properties.get("DTEND")),
      name: text("LOCATION"),
      time_type: 0,
    };
    return [recordOf("event", organisationId, event), recordOf("event_date", organisationId, date)];
  });
}

/** A record with these fields, and null in all others that may be. */
function recordOf(type: "event" | "event_date", organisation_id: number, fields: Record<string, unknown>): SentRecord {
  const nullable = Object.entries(recordResources[type].schema.shape).filter(
    ([, field]) => field instanceof z.ZodNullable,
  );
  return { type, organisation_id, data: { ...Object.fromEntries(nullable.map(([name]) => [name, null])), ...fields } };
}

function eventsIn(calendar: string): Map<string, Property>[] {
  const events: Map<string, Property>[] = [];
  let inside: string[] = [];
  // A line that begins with white space continues the line before.
  for (const line of calendar.replaceAll(/\r?\n[ \t]/g, "").split(/\r?\n/)) {
    const [, name = "", parameters = "", value = ""] =
      /^([\w-]+)((?:;[^=:]+=(?:"[^"]*"|[^;:]*))*):(.*)$/.exec(line) ?? [];
    if (name === "BEGIN") {
      inside = [...inside, value];
      if (value === "VEVENT") events.push(new Map());
    } else if (name === "END") inside = inside.slice(0, -1);
    else if (inside.at(-1) === "VEVENT") events.at(-1)?.set(name, { parameters, value });
  }
  return events;
}

function unescaped(text: string | undefined): string | null {
  return text?.replaceAll(/\\(.)/g, (_, character) => (character === "n" ? "\n" : character)) ?? null;
}

/** The basic form of ISO 8601, in which iCalendar writes times, in the extended form. */
function instantOf(property: Property | undefined): string | null {
  return (
    property?.value.replace(/^(\d{4})(\d\d)(\d\d)/, "$1-$2-$3").replace(/T(\d\d)(\d\d)(\d\d)/, "T$1:$2:$3") ?? null
  );
}
