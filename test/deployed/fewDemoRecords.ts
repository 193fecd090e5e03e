import type { Record as InputRecord } from "../../functions/resources/record.ts";
import { demoProgrammes, demoSales } from "../../local/demo/demoRecords.ts";

/** How many orders an event has at most, and how many of the events that sold nothing are left out for one that is not. */
const maximumOrders = 100;
const step = 12;

/** The demo records of some events, with some hundred tickets in all: the emulator takes long for each page of a list, and for long lists longer. */
export function fewDemoRecords(): InputRecord[] {
  const records = [...demoProgrammes(), ...demoSales()];
  const orders = new Map<string, number>();
  for (const record of records) {
    if (record.type === "order") orders.set(eventOf(record), (orders.get(eventOf(record)) ?? 0) + 1);
  }
  const events = records.filter(({ type }) => type === "event").map(eventOf);
  const few = new Set(
    events.filter((event, index) => {
      const count = orders.get(event);
      return count === undefined ? index % step === 0 : count < maximumOrders;
    }),
  );
  return records.filter((record) => few.has(eventOf(record)));
}

/** Which event a record belongs to, and whose: other organisations have events with the same ids. */
function eventOf(record: InputRecord): string {
  const id =
    record.type === "event"
      ? record.data.id
      : record.type === "ticket_category"
        ? record.event_id
        : record.data.event_id;
  return `${record.organisation_id} ${id}`;
}
