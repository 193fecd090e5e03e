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

/** The item for an order's record. */
export type OrderItem = RecordItem & z.infer<typeof OrderParts>;

/** Whether an item must be written by {@link upsertOrder}. */
export function isOrderItem(item: RecordItem): item is OrderItem {
  return item.SK === "ORDER" && !isTombstone(item);
}

/** A slower write gets a new stamp, because readers may already be past its stamp. This must be far less than their horizon. */
const maximumWriteMs = 3_000;

const Stored = z.object({ record_version: z.int().optional(), deleted: z.literal(true).optional() });
type Stored = z.infer<typeof Stored>;

/**
 * Replaces the fields of an order by those of a record, and moves the order to the end of the organisation's changes. A record with the stored
 * content does not count as a change; only its version is stored. The higher version wins, and a record without a version always replaces.
 * Fields that the API has set remain.
 *
 * @param isRepeated whether an earlier call for this item failed, so that its write may still have succeeded late, under an old stamp.
 * @param nowMs the writer's clock.
 * @returns false if the stored version is higher, or is a tombstone of the same version.
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
      if (nowMs() - acceptedMs > maximumWriteMs) await renewStamp(table, item, written, nowMs());
      return true;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      const stored = Stored.parse(error.item);
      if (isOlder(item, stored)) return false;
      if (isRepeated && error.item) await renewStamp(table, item, error.item, nowMs());
      if (item.record_version === stored.record_version || (await storeVersion(table, item))) return true;
    }
  }
}

function isOlder({ record_version: version }: OrderItem, { record_version: stored, deleted }: Stored): boolean {
  if (version === undefined || stored === undefined) return false;
  return version < stored || (version === stored && deleted === true);
}

/** Sets all fields of the record, unless a higher version or the same content is stored. */
function replacement({ PK, SK, record_version, ...fields }: OrderItem, acceptedMs: number): Expression {
  const stamp = { [acceptance]: stampAt(acceptedMs, fields.id), revision: randomUUID() };
  const attributes = Object.entries({ ...fields, ...stamp });
  const sets = attributes.map((_, index) => `#${index} = :${index}`).join(", ");
  const differs = "(attribute_not_exists(content_hash) OR content_hash <> :hash)";
  const hasVersion = record_version !== undefined;
  return {
    // The stored item may be a tombstone.
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

/** Moves an order to the end of the changes, unless another writer has moved it. */
async function renewStamp(table: Table, item: OrderItem, stored: Item, acceptedMs: number): Promise<void> {
  await updateIf(table, item, {
    update: `SET ${acceptance} = :new`,
    condition: `${acceptance} = :old`,
    values: { ":new": stampAt(acceptedMs, item.id), ":old": z.string().parse(stored[acceptance]) },
  });
}

/** Stores the version of a record whose content is stored already. @returns false if the stored content has changed since. */
function storeVersion(table: Table, item: OrderItem): Promise<boolean> {
  const { record_version, content_hash } = item;
  const isSame = "content_hash = :hash";
  return updateIf(table, item, {
    update: record_version === undefined ? "REMOVE record_version" : "SET record_version = :version",
    condition: record_version === undefined ? isSame : `${isSame} AND ${isNotOlder}`,
    values: { ":hash": content_hash, ":version": record_version },
  });
}

async function updateIf(table: Table, { PK, SK }: OrderItem, change: Expression): Promise<boolean> {
  try {
    await updateItem(table, { PK, SK }, change);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
