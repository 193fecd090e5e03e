import * as z from "zod";
import { outgoingEventOf } from "../data/records/outgoingChange.ts";
import { logger } from "../log/logger.ts";
import type { OutgoingEvent } from "../resources/outgoingEvent.ts";

/**
 * Turns a batch of the stream's records, as the pipe brings them, into the events that it takes on to the event bus: those of balance payments
 * and notes that were recorded through the API, and no others. An event may come more than once, under the same id.
 */
export async function handler(records: unknown): Promise<OutgoingEvent[]> {
  const events = z
    .array(z.unknown())
    .parse(records)
    .flatMap((record) => outgoingEventOf(record) ?? []);
  for (const { detail_type, detail } of events) {
    logger.info("outgoing event", { detail_type, id: detail.id, organisation_id: detail.organisation_id });
  }
  return events;
}
