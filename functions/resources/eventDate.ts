import * as z from "zod";
import { Instant } from "../values/instant.ts";
import { Id, timeOf } from "./fields.ts";
import { earliestFirst, resource } from "./resource.ts";

/** The specification's fields in the specification's order. */
export const EventDate = z
  .object({
    id: Id.meta({ description: "Date id, used in the Dates endpoints." }),
    event_id: Id.meta({ description: "Parent event id." }),
    date: Instant.meta(timeOf("Start date and time, ISO 8601.")),
    end_date: Instant.nullable().meta(
      timeOf(
        "End date and time, ISO 8601, if set. Ask your organisation whether a date alone is the last day or the day after it.",
      ),
    ),
    time_type: z.int().meta({
      description:
        "How the time is interpreted: a code of the organisation's core system. Ask your organisation what it means.",
    }),
    name: z.string().nullable().meta({ description: "Optional name of the performance." }),
    sold_out: z.boolean().nullable().meta({ description: "True when the date is sold out." }),
    suspend: z
      .boolean()
      .nullable()
      .meta({ description: "True when sales are suspended, which does not mean that the date is cancelled." }),
  })
  .meta({
    id: "EventDate",
    description:
      "One performance of an event. Ask your organisation how it marks cancelled dates: it may delete them, or use `suspend` or a `time_type`.",
    examples: [
      {
        id: 1508201,
        event_id: 15082,
        date: "2025-12-18T19:30:00-05:00",
        end_date: null,
        time_type: 0,
        name: null,
        sold_out: null,
        suspend: false,
      },
    ],
  });
export type EventDate = z.infer<typeof EventDate>;

export const dates = resource({
  type: "event_date",
  schema: EventDate,
  short: ["id", "event_id", "date", "name", "sold_out", "suspend"],
  lists: {
    ofEvent: { index: "GSI1", under: "event", field: "event_id", order: earliestFirst("date") },
    all: {
      index: "GSI2",
      all: "ALLDATES",
      order: earliestFirst("date"),
      range: { verb: "start", examples: { from: "2026-09-01T00:00:00Z", to: "2026-10-01T00:00:00Z" } },
    },
  },
  expand: { event: { one: "event", field: "event_id" } },
});
