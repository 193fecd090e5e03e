import * as z from "zod";
import { logger } from "../log/logger.ts";
import type { OutgoingEvent } from "../resources/outgoingEvent.ts";
import { outgoingEventOf } from "./outgoingChange.ts";

/**
 * Converts a batch of stream records from the pipe into events for the event bus: balance payments and order notes that were recorded through the
 * API. An event may be sent more than once, with the same id.
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
