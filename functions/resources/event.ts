import * as z from "zod";
import { Instant } from "../values/instant.ts";
import { Currency, Id, timeOf } from "./fields.ts";
import { added, latestFirst, resource } from "./resource.ts";

/** The specification's fields in the specification's order, then this service's own. */
export const Event = z
  .object({
    id: Id.meta({ description: "Numeric event id, used in other endpoints." }),
    tag: z.string().meta({ description: "URL slug of the event." }),
    name: z.string().meta({ description: "Event name." }),
    organisation_id: Id.meta({ description: "Id of the key's organisation." }),
    type: z.string().nullable().meta({ description: "Event type, in the organisation's own words." }),
    description: z.string().nullable().meta({ description: "Event description." }),
    date_created: Instant.nullable().meta(timeOf("Creation time, ISO 8601.")),
    time_zone_id: z.string().nullable().meta({
      description: "The name of the event's time zone in the organisation's core system, usually an IANA name.",
    }),
    venue_id: z.int().nullable().meta({ description: "Id of the linked venue." }),
    tour_id: z.int().nullable().meta({ description: "Id of the linked tour." }),
    currency_symbol: z.string().nullable().meta({ description: "Display symbol of the event's currency." }),
    unlisted: z.boolean().nullable().meta({
      description:
        "True when the event is hidden from listings. A program that publishes events or dates must leave it out.",
    }),
    private: z.boolean().nullable().meta({
      description: "True when the event is private. A program that publishes events or dates must leave it out.",
    }),
    ticketing_enabled: z.boolean().nullable().meta({ description: "True when ticketing is on." }),
    buying_enabled: z.boolean().nullable().meta({ description: "True when buying is currently open." }),
    currency: added(
      Currency.nullable().meta({ description: "ISO 4217 code of the event's currency; null if unknown." }),
    ),
  })
  .meta({
    id: "Event",
    description: "An event that tickets are sold for: the root of the data.",
    examples: [
      {
        id: 15082,
        tag: "handel-messiah-15082",
        name: "Handel: MESSIAH",
        organisation_id: 1,
        type: "Subscription Season",
        description: "Handel, George Frideric / MESSIAH",
        date_created: "2025-09-01T00:00:00Z",
        time_zone_id: "America/New_York",
        venue_id: 1387216453,
        tour_id: null,
        currency_symbol: "$",
        unlisted: false,
        private: false,
        ticketing_enabled: true,
        buying_enabled: true,
        currency: "USD",
      },
    ],
  });
export type Event = z.infer<typeof Event>;

export const events = resource({
  type: "event",
  schema: Event,
  short: ["id", "name", "unlisted", "private", "ticketing_enabled", "buying_enabled"],
  lists: {
    all: {
      index: "GSI1",
      all: "EVENTS",
      order: latestFirst("date_created"),
      range: { verb: "were created", examples: { from: "2025-09-01T00:00:00Z", to: "2025-10-01T00:00:00Z" } },
    },
  },
});
