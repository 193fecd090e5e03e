import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { outgoingSortKeys } from "../functions/changes/outgoingChange.ts";
import { handler as outgoingEvents } from "../functions/changes/outgoingEvents.ts";
import type { Subscription } from "./dynamodb/streamFeed.ts";

/** Outgoing events, one per line, with the EventBridge fields that rules match. */
const eventFile = ".local/events.ndjson";

/** Replaces the pipe and the event bus: converts changes to events and appends them to a file, which starts empty. */
export async function subscribeEventFile(): Promise<Subscription> {
  await mkdir(dirname(eventFile), { recursive: true });
  // Readable only by its owner: notes contain personal data.
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
