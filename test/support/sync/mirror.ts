import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { tombstone } from "../../../functions/records/recordItem.ts";
import type { Change } from "../../../functions/resources/change.ts";
import type { RecordType } from "../../../functions/resources/record.ts";
import { putItems } from "../data/putRecords.ts";
import { Row } from "./row.ts";

const pollMs = 300;
/** A reader that sees no change for this long will not reach the one that it waits for. */
const maximumQuietMs = 180_000;

/** The pages from a cursor up to the latest visible change. */
type Pages = (cursor: string | undefined) => AsyncIterable<{ changes: Change[]; resumeCursor: string }>;

/** A copy of an organisation's data that follows its changes, as the guide on incremental sync describes. */
export function mirrorOf(pages: Pages) {
  const rows = new Map<string, Row>();
  let cursor: string | undefined;

  function store({ type, id, change, data, ...parent }: Change): void {
    if (change === "deleted") rows.delete(`${type} ${id}`);
    else rows.set(`${type} ${id}`, Row.parse({ type, id, ...parent, data }));
  }

  /**
   * Syncs from the stored cursor, again and again, until it reaches a change.
   *
   * @param stops whether this sync stops here: before a page's cursor is stored, or after it.
   * @returns all changes, in order. Syncs that stopped may have repeated some.
   */
  async function follow(last: Pick<Change, "type" | "id">, stops = () => false): Promise<Change[]> {
    const all: Change[] = [];
    let latestMs = Date.now();
    for (;;) {
      for await (const { changes, resumeCursor } of pages(cursor)) {
        for (const change of changes) store(change);
        all.push(...changes);
        if (changes.length > 0) latestMs = Date.now();
        if (stops()) break;
        cursor = resumeCursor;
        if (stops()) break;
      }
      if (all.some(({ type, id }) => type === last.type && id === last.id)) return all;
      assert.ok(Date.now() - latestMs < maximumQuietMs, `No change of ${last.type} ${last.id} appeared.`);
      await wait(pollMs);
    }
  }

  return { rows, follow };
}

/** A deletion of something that never existed: a change that no copy and no list shows. */
export function marker(number: number): { type: RecordType; id: number } {
  return { type: "event", id: Number.MAX_SAFE_INTEGER - number };
}

/** Writes a marker. A mirror that reaches it has seen all changes before it. */
export async function putMarker(organisation_id: number, { type, id }: ReturnType<typeof marker>): Promise<void> {
  await putItems([tombstone({ type, organisation_id, id, deleted: true, version: 1 })]);
}
