import { randomUUID } from "node:crypto";
import * as z from "zod";
import { ConditionFailed } from "../table/errors.ts";
import type { Item } from "../table/item.ts";
import { isTombstone } from "../table/item.ts";
import type { Table } from "../table/table.ts";
import { type Expression, updateItem } from "../table/writes.ts";
import { acceptance, acceptedAt } from "./orderItem.ts";
import { isNotOlder, type RecordItem } from "./recordItem.ts";
import { tombstoneParts } from "./tombstone.ts";

const OrderParts = z.object({ id: z.int(), content_hash: z.string() });

/** An order's item as a record makes it. */
export type OrderItem = RecordItem & z.infer<typeof OrderParts>;

/** Whether a record's item is an order's, and so is one for {@link upsertOrder}. */
export function isOrderItem(item: RecordItem): item is OrderItem {
  return item.SK === "ORDER" && !isTombstone(item);
}

/** A write that took longer than this is stamped anew: by then, those who read changes may be past its stamp. Far less than their horizon. */
const landingMs = 3_000;

const Stored = z.object({ record_version: z.int().optional(), deleted: z.literal(true).optional() });
type Stored = z.infer<typeof Stored>;

/**
 * Puts an order's record in place of what earlier records said, and the order at the end of the organisation's changes. One that says what
 * is stored already is no change, whatever its version; its version is kept. Of two versions the higher stays, and a record
 * without a version always replaces. What the API has set of the order stays.
 *
 * @param isRepeated whether an earlier call for this item failed, so that its write may have landed late, under an old stamp.
 * @param nowMs the writer's clock.
 * @returns false where the stored version is higher, or the same and deleted.
 */
export async function upsertOrder(
  table: Table,
  item: OrderItem,
  isRepeated = false,
  nowMs: () => number = Date.now,
): Promise<boolean> {
  for (;;) {
    const acceptedMs = nowMs();
    try {
      const written = await updateItem(table, { PK: item.PK, SK: item.SK }, replacement(item, acceptedMs));
      if (nowMs() - acceptedMs > landingMs) await stampAnew(table, item, written, nowMs());
      return true;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      const stored = Stored.parse(error.item);
      if (isOlder(item, stored)) return false;
      if (isRepeated && error.item) await stampAnew(table, item, error.item, nowMs());
      if (item.record_version === stored.record_version || (await keepVersion(table, item))) return true;
    }
  }
}

function isOlder({ record_version: version }: OrderItem, { record_version: stored, deleted }: Stored): boolean {
  if (version === undefined || stored === undefined) return false;
  return version < stored || (version === stored && deleted === true);
}

/** Says all that the record says, unless a higher version or the very same is stored. */
function replacement({ PK, SK, record_version, ...fields }: OrderItem, acceptedMs: number): Expression {
  const stamp = { [acceptance]: stampAt(acceptedMs, fields.id), revision: randomUUID() };
  const attributes = Object.entries({ ...fields, ...stamp });
  const sets = attributes.map((_, index) => `#${index} = :${index}`).join(", ");
  const differs = "(attribute_not_exists(content_hash) OR content_hash <> :hash)";
  const hasVersion = record_version !== undefined;
  return {
    // Where a tombstone is replaced, nothing of it may stay.
    update: `SET ${sets}${hasVersion ? ", record_version = :version" : ""} REMOVE ${tombstoneParts}${hasVersion ? "" : ", record_version"}`,
    condition: hasVersion ? `${isNotOlder} AND ${differs}` : differs,
    names: Object.fromEntries(attributes.map(([name], index) => [`#${index}`, name])),
    values: {
      ...Object.fromEntries(attributes.map(([, value], index) => [`:${index}`, value])),
      ":hash": fields.content_hash,
      ":version": record_version,
    },
  };
}

function stampAt(acceptedMs: number, id: number): string {
  return acceptedAt(new Date(acceptedMs).toISOString(), id);
}

/** Moves an order to the end of the changes, unless somebody else has moved it. */
async function stampAnew(table: Table, item: OrderItem, stored: Item, acceptedMs: number): Promise<void> {
  await updateIfStill(table, item, {
    update: `SET ${acceptance} = :new`,
    condition: `${acceptance} = :old`,
    values: { ":new": stampAt(acceptedMs, item.id), ":old": z.string().parse(stored[acceptance]) },
  });
}

/** Notes the version of a record that says what is stored. @returns false where something else is stored meanwhile. */
function keepVersion(table: Table, item: OrderItem): Promise<boolean> {
  const { record_version, content_hash } = item;
  const isSame = "content_hash = :hash";
  return updateIfStill(table, item, {
    update: record_version === undefined ? "REMOVE record_version" : "SET record_version = :version",
    condition: record_version === undefined ? isSame : `${isSame} AND ${isNotOlder}`,
    values: { ":hash": content_hash, ":version": record_version },
  });
}

async function updateIfStill(table: Table, { PK, SK }: OrderItem, change: Expression): Promise<boolean> {
  try {
    await updateItem(table, { PK, SK }, change);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
