import * as z from "zod";
import type { SentRecord } from "./limitRecords.ts";
import { recordOf } from "./records.ts";

const Offer = z.object({ name: z.string(), price: z.number(), priceCurrency: z.string() });
const SubEvent = z.object({ identifier: z.int(), startDate: z.string(), endDate: z.string() });
const Schedule = z.object({ startDate: z.string(), startTime: z.string(), endTime: z.string() });
const SchemaOrgEvent = z.object({
  "@type": z.string(),
  identifier: z.union([z.string(), z.int()]).optional(),
  name: z.string(),
  description: z.string().optional(),
  subEvent: z.array(SubEvent).optional(),
  eventSchedule: z.tuple([Schedule], Schedule),
  offers: z.array(Offer),
});

/** An event of schema.org, which may be an item of a feed, with its dates and ticket categories. */
export function sessionRecords(organisationId: number, json: string): SentRecord[] {
  const document = JSON.parse(json);
  const { modified, data } = document.items?.[0] ?? { data: document };
  const { identifier = 1, ...event } = SchemaOrgEvent.parse(data);
  const id = typeof identifier === "number" ? identifier : 1;
  const [{ startDate, startTime, endTime }] = event.eventSchedule;
  const first = { identifier: 1, startDate: `${startDate}T${startTime}`, endDate: `${startDate}T${endTime}` };
  const fields = {
    id,
    organisation_id: organisationId,
    tag: String(identifier),
    name: event.name,
    type: event["@type"],
    description: event.description ?? null,
    date_created: modified === undefined ? null : new Date(modified * 1_000).toISOString(),
    currency: event.offers[0]?.priceCurrency,
  };
  const dates = (event.subEvent ?? [first]).map(({ identifier, startDate, endDate }) =>
    recordOf("event_date", organisationId, {
      id: identifier,
      event_id: id,
      date: startDate,
      end_date: endDate,
      time_type: 0,
    }),
  );
  const categories = event.offers.map(({ name, price }, index) => {
    const category = {
      id: index + 1,
      name,
      price: Math.round(price * 100),
      people: 1,
      sort_index: index,
      hidden: false,
    };
    return recordOf("ticket_category", organisationId, category, { event_id: id });
  });
  return [recordOf("event", organisationId, fields), ...dates, ...categories];
}
