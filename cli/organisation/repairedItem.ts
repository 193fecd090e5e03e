import { isDeepStrictEqual } from "node:util";
import { personalTexts } from "../../functions/records/blankBalancePayment.ts";
import { changeTimeAttribute } from "../../functions/records/changeTime.ts";
import { resourceOf, tombstone } from "../../functions/records/recordItem.ts";
import { ApiNote } from "../../functions/resources/order.ts";
import { Deletion } from "../../functions/resources/record.ts";
import { type Item, isTombstone } from "../../functions/table/item.ts";
import { type ItemKey, organisationIdOf } from "../../functions/table/itemKeys.ts";
import { listAttributes, placeAttributes, placeOf } from "../../functions/table/lists.ts";
import type { Expression } from "../../functions/table/writes.ts";
import { Key } from "../table/scanTable.ts";

/** The items that a repair may touch: those whose change time in the live table is in this window, ends included. */
export interface Window {
  from: string;
  to: string;
  /** Deletes items that were new in the window. */
  deletesNew: boolean;
}

/** A repair of an item, or the reason why it stays. `same`: nothing to repair. */
export type Outcome = "written" | "replaced" | "deleted" | "isNew" | "changedOutside" | "notedLater" | "same";

export interface Decision {
  outcome: Outcome;
  /** To write, without its change time; undefined if the live item stays. */
  item?: Item & ItemKey;
}

const { partitionKey } = listAttributes({ index: "GSI3" });
const changeAttributes = [partitionKey, changeTimeAttribute];
/** Set by the API, which a repair leaves alone. */
const ofNote = ["api_note", "revision"];
/** Neither part of the content nor of a damage: a record with the stored content changes only its version. */
const notContent = [...changeAttributes, ...ofNote, "record_version", "expires_at", "restored"];

/**
 * An item of another table as this table would have it, without its change time: its places in the indexes follow from its fields. It keeps its
 * version: later records of the core system win, also those that the damage made older than a wrong version, and older ones do not.
 */
export function placedItem(item: Item): Item & ItemKey {
  const key = Key.parse(item);
  const resource = resourceOf(key.SK);
  const place = resource && !isTombstone(item) ? placeOf(resource, organisationIdOf(key.PK), item) : {};
  return { ...without(item, [...placeAttributes, ...changeAttributes]), ...place, ...key };
}

/**
 * @param source the item at the time of the source; undefined if it did not exist.
 * @param live the item now.
 */
export function decide(source: Item | undefined, live: Item | undefined, window: Window): Decision {
  const wanted = source && without(placedItem(source), [...ofNote, "expires_at"]);
  const isWanted = wanted !== undefined && !isTombstone(wanted);
  if (live === undefined) return isWanted ? { outcome: "written", item: keyed(wanted) } : { outcome: "same" };
  if (isTombstone(live) && !isWanted) return { outcome: "same" };
  if (wanted && isDeepStrictEqual(without(wanted, notContent), without(live, notContent))) return { outcome: "same" };
  const changed = changeTimeOf(live);
  if (changed !== undefined && (changed < window.from || changed > window.to))
    return { outcome: hasNoteSince(live, window) ? "notedLater" : "changedOutside" };
  if (isWanted) {
    const note = Object.fromEntries(Object.entries(live).filter(([name]) => ofNote.includes(name)));
    return { outcome: "replaced", item: keyed({ ...wanted, ...note }) };
  }
  if (wanted) return { outcome: "deleted", item: keyed(wanted) };
  return window.deletesNew ? { outcome: "deleted", item: tombstoneOf(live) } : { outcome: "isNew" };
}

/** Without a version, so that any record replaces it, as if the item had never existed. */
function tombstoneOf(live: Item): Item & ItemKey {
  const { PK, SK } = Key.parse(live);
  const [, organisation_id, , id] = PK.split("#").map(Number);
  const deletion = { type: resourceOf(SK)?.type, organisation_id, id, deleted: true, version: 0 };
  return { ...tombstone(Deletion.parse(deletion)), record_version: undefined };
}

/** A note moves its order to the end of the changes, so nothing shows when the order's record changed. */
function hasNoteSince({ api_note }: Item, { from }: Window): boolean {
  const { data: note } = ApiNote.safeParse(api_note);
  return note !== undefined && note.date_modified >= from;
}

/** True if an order has lost the note of the source, or has another that is not later. */
export function hasLostNote({ api_note: earlier }: Item, live: Item | undefined): boolean {
  const before = ApiNote.safeParse(earlier).data;
  if (before === undefined) return false;
  const now = ApiNote.safeParse(live?.api_note).data;
  return now === undefined || (now.date_modified <= before.date_modified && !isDeepStrictEqual(now, before));
}

/** True if a balance payment is missing, or differs in more than texts that were blanked. */
export function isDamagedPayment(source: Item, live: Item | undefined): boolean {
  if (live === undefined) return true;
  const blanked = personalTexts.filter((name) => live[name] === null);
  const ignored = [...notContent, ...blanked];
  return !isDeepStrictEqual(without(source, ignored), without(live, ignored));
}

/** The condition that an item is as it was read: each change increases its change time, and a version can change alone. */
export function isAsRead(read: Item | undefined): Expression {
  if (read === undefined) return { condition: "attribute_not_exists(PK)" };
  const { [changeTimeAttribute]: changeTime, record_version: version } = read;
  const same = (name: string, value: unknown, placeholder: string) =>
    value === undefined ? `attribute_not_exists(${name})` : `${name} = ${placeholder}`;
  return {
    condition: `attribute_exists(PK) AND ${same(changeTimeAttribute, changeTime, ":read")} AND ${same("record_version", version, ":version")}`,
    values: { ":read": changeTime, ":version": version },
  };
}

function changeTimeOf(item: Item): string | undefined {
  const changeTime = item[changeTimeAttribute];
  return typeof changeTime === "string" ? changeTime.split("#")[0] : undefined;
}

export function keyed(item: Item): Item & ItemKey {
  return { ...item, ...Key.parse(item) };
}

function without(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
}
