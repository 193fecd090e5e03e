import { recordItem } from "../../functions/data/records/recordItem.ts";
import type { Item } from "../../functions/data/table/item.ts";
import { type ItemKey, keys, listAttributes } from "../../functions/data/table/keys.ts";
import { BalancePayment } from "../../functions/resources/balancePayment.ts";
import { exportedRecord } from "../organisation/exportedRecord.ts";

/** The attributes that an item of an earlier version lacks, and those to remove from it. The time of acceptance is not included. */
export interface Missing {
  set: Item;
  remove: string[];
}

/** The attributes that follow from a record. All others belong to the record itself or to the API. */
const derived = [
  ...(["GSI1", "GSI2", "GSI4"] as const).flatMap((index) => Object.values(listAttributes({ index }))),
  "content_hash",
];
const balancePaymentSortKey = keys.balancePayment(1, 1).SK;

/**
 * Compares an item with the one that this version makes of the same record.
 *
 * @throws Error if the item does not match its key.
 */
export function missingAttributes(key: ItemKey, item: Item): Missing {
  if (key.SK === balancePaymentSortKey) {
    // Its lists have not changed.
    BalancePayment.parse(item);
    return { set: {}, remove: [] };
  }
  const record = exportedRecord(key, item);
  if (!record || "deleted" in record) throw new Error("The item is not a record");
  const made: Item & ItemKey = recordItem(record);
  if (made.PK !== key.PK) throw new Error("The record has another id than the item");
  const differing = derived.filter((name) => made[name] !== item[name]);
  return {
    set: Object.fromEntries(differing.filter((name) => name in made).map((name) => [name, made[name]])),
    remove: differing.filter((name) => !(name in made)),
  };
}
