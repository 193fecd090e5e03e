import { createHash } from "node:crypto";
import { recordItem } from "../../../functions/data/records/recordItem.ts";
import type { Item } from "../../../functions/data/table/item.ts";
import { idSortKey, instantSortKey, keys, listKey, lists } from "../../../functions/data/table/keys.ts";
import { BalancePayment } from "../../../functions/resources/balancePayment.ts";
import { exampleOf } from "../../../functions/resources/exampleOf.ts";
import { Order } from "../../../functions/resources/order.ts";
import type { Record as InputRecord } from "../../../functions/resources/record.ts";

/** The item that version 1.0 made of a record. */
export function oldItem(record: InputRecord, acceptedAt = "2026-01-02T03:04:05.678Z"): Item {
  const { GSI3PK, GSI3SK, GSI4PK, GSI4SK, content_hash, ...item }: Item = recordItem(record);
  if (record.type === "event_date") {
    const { GSI2PK, GSI2SK, ...date } = item;
    return date;
  }
  if (record.type !== "order") return item;
  return {
    ...item,
    GSI2PK: `ORG#${record.organisation_id}#ORDERS`,
    GSI2SK: `${acceptedAt}${idSortKey(record.data.id)}`,
    content_hash: createHash("sha256")
      .update(JSON.stringify(Order.parse(record.data)))
      .digest("base64url"),
    revision: "6a1f4f0e-9a3f-4e0c-8d52-1d1f0e1c7a11",
  };
}

export function oldBalancePayment(organisationId: number, id: number): Item {
  const data = { ...BalancePayment.parse(exampleOf(BalancePayment)), id, event_id: 1 };
  const list = lists.eventBalancePayments(organisationId, 1);
  return {
    ...keys.balancePayment(organisationId, id),
    ...listKey(list, instantSortKey(data.date_created, id)),
    ...data,
  };
}

export function oldTombstone(organisationId: number, id: number): Item {
  return { ...keys.event(organisationId, id), record_version: 4, deleted: true, expires_at: 4_000_000_000 };
}
