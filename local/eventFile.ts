import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { handler as outgoingEvents } from "../functions/consumers/outgoingEvents.ts";
import { outgoingSortKeys } from "../functions/data/records/outgoingChange.ts";
import type { Subscription } from "./dynamodb/streamFeed.ts";

/** Where the local service keeps the events that leave, one a line, with what of EventBridge's own a rule would match. */
const eventFile = ".local/events.ndjson";

/** Stands for the pipe and the event bus: turns changes into events, and adds them to a file that begins anew. */
export async function subscribeEventFile(): Promise<Subscription> {
  await mkdir(dirname(eventFile), { recursive: true });
  // Only its owner reads it: notes are about people.
  await writeFile(eventFile, "", { mode: 0o600 });
  return {
    sortKeys: outgoingSortKeys,
    async consumer({ Records }) {
      const events = await outgoingEvents(Records);
      const lines = events.map(({ detail_type, detail }) => ({
        source: "ticketing",
        "detail-type": detail_type,
        detail,
      }));
      await appendFile(eventFile, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      return { batchItemFailures: [] };
    },
  };
}
