import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { acceptChange, type ChangeTime } from "../../functions/records/acceptChange.ts";
import { recordItem, resourceOf, tombstone } from "../../functions/records/recordItem.ts";
import { kept } from "../../functions/records/upsertRecord.ts";
import { storedForm, storedSchema } from "../../functions/resources/resource.ts";
import { type Item, isTombstone } from "../../functions/table/item.ts";
import { type ItemKey, organisationIdOf } from "../../functions/table/itemKeys.ts";
import { listAttributes, partitions, placeAttributes, placeOf } from "../../functions/table/lists.ts";
import type { Table } from "../../functions/table/table.ts";
import { type Expression, updateItem, updateOf } from "../../functions/table/writes.ts";
import { exportedRecord } from "../organisation/exportOrganisation.ts";
import { Key } from "./scanTable.ts";

/** The names of attributes, never their values, which may be personal data. */
type Finding =
  | { kind: "correct" }
  /** No record makes such an item. */
  | { kind: "damaged"; attributes: string[] }
  /** The attributes that do not follow from the item's fields; `set` and `remove` are what an import of these fields would store. */
  | { kind: "differs"; attributes: string[]; set: Item; remove: string[] };

const changeAttributes = Object.values(listAttributes({ index: "GSI3" }));

/** Compares a stored record, tombstone or balance payment with what its fields say; other items are correct. */
export function checkedItem(item: Item, nowMs: number): Finding {
  const key = Key.parse(item);
  if (!resourceOf(key.SK)) return { kind: "correct" };
  try {
    const expected = expectedItem(key, item, nowMs);
    if (expected.PK !== key.PK) return { kind: "damaged", attributes: ["id"] };
    // A tombstone has nothing else, and a record keeps attributes that this version does not know.
    const known = isTombstone(item) ? Object.keys(item) : [...placeAttributes, "expires_at"];
    const compared = [...new Set([...Object.keys(expected), ...known])].filter(
      (name) => !changeAttributes.includes(name),
    );
    const differing = compared.filter((name) => !isDeepStrictEqual(item[name], expected[name]));
    const attributes = [...differing, ...wrongChangeAttributes(key, item)].sort();
    if (attributes.length === 0) return { kind: "correct" };
    const isSet = (name: string) => expected[name] !== undefined;
    const set = Object.fromEntries(differing.filter(isSet).map((name) => [name, expected[name]]));
    return { kind: "differs", attributes, set, remove: differing.filter((name) => !isSet(name)) };
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const paths = error.issues.map(({ path }) => path.filter((part) => part !== "data").join("."));
    return { kind: "damaged", attributes: [...new Set(paths)].sort() };
  }
}

/** The attributes that this version stores for the item's fields, without its change time. @throws ZodError if it is damaged. */
function expectedItem(key: ItemKey, item: Item, nowMs: number): Item {
  const record = exportedRecord(key, item);
  if (record && "deleted" in record) {
    const { expires_at } = item;
    const { expires_at: latest, ...deleted } = kept<Item>(tombstone(record), nowMs);
    const isExpiry = Number.isSafeInteger(expires_at) && Number(expires_at) <= Number(latest);
    return { ...deleted, expires_at: isExpiry ? expires_at : latest };
  }
  const resource = resourceOf(key.SK);
  if (!resource) return item;
  // Also what the API has set.
  storedSchema(resource).parse(item);
  if (!record) return placeOf(resource, organisationIdOf(key.PK), storedForm(resource.schema).parse(item));
  const { PK, SK, content_hash, record_version, ...rest } = recordItem(record);
  const places = Object.fromEntries(Object.entries(rest).filter(([name]) => placeAttributes.includes(name)));
  return { PK, SK, content_hash, record_version, ...places };
}

/** The change time follows from no field, so only its form is compared. */
function wrongChangeAttributes({ PK, SK }: ItemKey, item: Item): string[] {
  const list = partitions.changes(organisationIdOf(PK), SK);
  const [partition = "", sortKey = ""] = changeAttributes;
  const isOwn = list.rowKey(String(item[sortKey]))?.PK === PK;
  return [...(item[partition] === list.partition ? [] : [partition]), ...(isOwn ? [] : [sortKey])];
}

/**
 * Accepts an item that differs as a change: readers of the changes, webhooks and summaries follow. A concurrent change wins, and is checked again.
 * @returns what is left to repair.
 */
export function repairItem(table: Table, found: Item): Promise<Finding> {
  return acceptChange<Finding>(table, (refusal) => {
    const item = refusal ? refusal.item : found;
    // Deleted meanwhile.
    if (!item) return { result: { kind: "correct" } };
    const finding = checkedItem(item, table.clock.nowMs());
    if (finding.kind !== "differs") return { result: finding };
    return { key: Key.parse(item), write: (changeTime) => repair(table, item, finding, changeTime) };
  });
}

async function repair(
  table: Table,
  item: Item,
  { set, remove }: Extract<Finding, { kind: "differs" }>,
  changeTime: ChangeTime,
): Promise<Finding> {
  const key = Key.parse(item);
  const asRead = isAsRead(item, Object.keys(set));
  const isOrdered = wrongChangeAttributes(key, item).length === 0;
  const condition = isOrdered
    ? {
        ...asRead,
        condition: `${asRead.condition} AND ${changeTime.condition}`,
        values: { ...asRead.values, ...changeTime.values },
      }
    : asRead;
  await updateItem(table, key, updateOf({ set: { ...set, ...changeTime.attributes }, remove }, condition));
  return { kind: "correct" };
}

/** The condition that an item still has exactly these values, and none of the attributes that are added. */
function isAsRead(item: Item, added: string[]): Required<Pick<Expression, "condition" | "names" | "values">> {
  const read = Object.entries(item);
  const names = [...read.map(([name]) => name), ...added.filter((name) => !(name in item))];
  const tests = names.map((_, index) =>
    index < read.length ? `#c${index} = :c${index}` : `attribute_not_exists(#c${index})`,
  );
  return {
    condition: tests.join(" AND "),
    names: Object.fromEntries(names.map((name, index) => [`#c${index}`, name])),
    values: Object.fromEntries(read.map(([, value], index) => [`:c${index}`, value])),
  };
}
