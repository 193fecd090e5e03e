import { maximumErrorMs } from "../table/clock.ts";
import { type ItemKey, itemKeys } from "../table/itemKeys.ts";
import { listAttributes } from "../table/lists.ts";
import { itemExists } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import { Unavailable } from "../table/tableErrors.ts";
import { isoOf } from "../values/instant.ts";

/** The attribute that sorts an organisation's changes: when this service accepted the item's latest change. */
export const changeTimeAttribute = listAttributes({ index: "GSI3" }).sortKey;

/** A slower write gets a new change time, because readers may already be past it. */
export const maximumWriteMs = 2_000;
/** GSI3 follows the table within this time in practice. */
const maximumIndexMs = 1_000;
/** Changes are shown only after this time, when their order is final: two clocks may err in opposite directions (docs/decisions/0015-changes.md). */
export const visibilityDelayMs = maximumWriteMs + 2 * maximumErrorMs + maximumIndexMs;

/**
 * The time by which changes are accepted. The clock is unset at a process's first call, and after a change of the local clock. A write with a wrong
 * change time would be hidden, or missed by readers, if this process ended before correcting it.
 * @throws Unavailable if the response is too slow to set the clock.
 */
export async function acceptanceMs(table: Table, key: ItemKey): Promise<number> {
  if (!table.clock.isSet()) await itemExists(table, key);
  if (!table.clock.isSet()) throw new Unavailable(new Error("The time is unknown: DynamoDB responds too slowly."));
  return table.clock.nowMs();
}

/** The present. If responses are too slow to know it, an earlier time, which only delays changes. */
export async function passedMs(table: Table): Promise<number> {
  const { clock } = table;
  if (!clock.isSet()) await itemExists(table, itemKeys.clock());
  return Math.floor(clock.nowMs());
}

export async function acceptedUntil(table: Table): Promise<string> {
  return isoOf(await passedMs(table));
}
