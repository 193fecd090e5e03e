import { hash } from "node:crypto";
import {
  declarationOf,
  type Index,
  indexes,
  type ListDeclaration,
  type Resource,
  type ResourceType,
  resourceTypes,
} from "../resources/resource.ts";
import { sortableInstant } from "../values/instant.ts";
import { isBlank } from "../values/lookUp.ts";
import { isTimeOrderedId } from "../values/timeOrderedId.ts";
import { type ItemKey, itemKey, itemKeys } from "./itemKeys.ts";

/*
 * All lists of the table. The table finds items by id; the indexes list them by parent, in display order. The values that sort a list are
 * in the index, which DynamoDB updates.
 */

/** Ends included. Sort keys end in an id, so an end that is only an instant equals no sort key; it sorts before the rows at that instant. */
interface Range {
  from: string;
  to: string;
}

/** A list: one partition of an index, or of the table itself by default. */
export interface List {
  index?: Index | "GSI3";
  partition: string;
  /** The whole partition by default. */
  range?: Range;
  direction: "ascending" | "descending";
  /** True for a list of the table itself whose rows may be a second old, which costs half as much. */
  isEventual?: true;
  /** The primary key of the row with this sort key, because a cursor contains only the sort key; undefined if the list writes no such sort key. */
  rowKey: (sortKey: string) => ItemKey | undefined;
}

const timeWith = (digits: number) => `\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{${digits}}Z`;
const serviceTime = timeWith(3);
/** The sort keys that lists write before `#` and the row's id. */
const beforeId = {
  id: "",
  instant: `(${timeWith(9)})?`,
  integer: "\\d{17}",
  change: `${serviceTime}#[A-Z]+`,
};

/** The id in a sort key of this form; undefined in any other text, which DynamoDB may refuse as a start. */
function idIn(sortKey: string, form: keyof typeof beforeId): number | undefined {
  const [id = ""] = new RegExp(`(?<=^${beforeId[form]}#)\\d{16}$`).exec(sortKey) ?? [];
  return Number(id) > 0 && Number.isSafeInteger(Number(id)) ? Number(id) : undefined;
}

/** @param value the parent's id, or the text to look up. */
export function declaredList<Declared extends Pick<Resource, "type" | "lists">>(
  resource: Declared,
  name: keyof Declared["lists"] & string,
  organisationId: number,
  value?: unknown,
): List {
  const { type } = resource;
  const list = declarationOf(resource, name);
  return {
    index: list.index,
    partition: `ORG#${organisationId}#${listName(type, list, value)}`,
    direction: list.order.direction,
    rowKey(sortKey) {
      const id = idIn(sortKey, sortedBy(list.order));
      return id === undefined ? undefined : itemKeys[type](organisationId, id);
    },
  };
}

function sortedBy({ instant, integer }: ListDeclaration["order"]): keyof typeof beforeId {
  if (instant !== undefined) return "instant";
  return integer === undefined ? "id" : "integer";
}

function listName(type: ResourceType, list: ListDeclaration, value: unknown): string {
  if ("under" in list) return `${resourceTypes[list.under].item}#${value}#${resourceTypes[type].items}`;
  if (!("lookUp" in list)) return list.all;
  const { lookUp, normalise } = list;
  return `${lookUp.toUpperCase()}#${digestOf(normalise(String(value)))}`;
}

/** The primary key of a resource's item, and its attributes in the declared lists: they follow from its fields alone. */
export function placeOf(
  resource: Pick<Resource, "type" | "lists">,
  organisationId: number,
  fields: Record<string, unknown>,
): ItemKey & Record<string, string> {
  const id = Number(fields.id);
  const places = Object.entries(resource.lists).map(([name, list]) => {
    const value = "under" in list ? fields[list.field] : "lookUp" in list ? fields[list.lookUp] : undefined;
    // A row without a parent, or without a text to look up, is not in the list.
    if (!("all" in list) && isBlank(String(value ?? ""))) return {};
    return listKey(declaredList(resource, name, organisationId, value), sortKeyOf(list.order, fields, id));
  });
  return Object.assign({ ...itemKeys[resource.type](organisationId, id) }, ...places);
}

/** The fields have the types of the declaration's schema. */
function sortKeyOf(
  { instant, integer }: ListDeclaration["order"],
  fields: Record<string, unknown>,
  id: number,
): string {
  if (instant !== undefined) return instantSortKey((fields[instant] ?? null) as string | null, id);
  return integer === undefined ? `#${sortableId(id)}` : integerSortKey(Number(fields[integer]), id);
}

/** The names of the attributes that {@link placeOf} may set, besides the primary key. */
export const placeAttributes: readonly string[] = indexes.flatMap((index) => Object.values(listAttributes({ index })));

/** The key attributes of an active webhook in the list of its shard. */
export function dueWebhookKey(organisationId: number, id: string, due: string): Record<string, string> {
  const [shard = ""] = hash("sha256", id, "hex");
  return listKey(partitions.dueWebhooks(shard), `${due}#${organisationId}#${id}`);
}

/** The partitions of webhooks by the first hexadecimal digit of their id's hash. */
export const webhookShards: readonly string[] = [..."0123456789abcdef"];

/** The rows of a summary, which follow the records within seconds anyway. */
function summaryRows({ PK }: ItemKey): List {
  return { partition: PK, direction: "ascending", isEventual: true, rowKey: (sortKey) => ({ PK, SK: sortKey }) };
}

/** A list of the table itself, whose sort keys are time-ordered ids. */
function timeOrderedList(keyOf: (id: string) => ItemKey, direction: List["direction"]): List {
  return {
    partition: keyOf("").PK,
    direction,
    rowKey: (sortKey) => (isTimeOrderedId(sortKey) ? keyOf(sortKey) : undefined),
  };
}

/** A failed request's time, and its id from API Gateway. */
const failureForm = new RegExp(`^${serviceTime}#[^#]{1,100}$`);

/** The lists that no resource declares. */
export const partitions = {
  eventSummary: (organisationId: number, eventId: number) =>
    summaryRows(itemKeys.eventSummary(organisationId, eventId)),
  dateSummary: (organisationId: number, dateId: number) => summaryRows(itemKeys.dateSummary(organisationId, dateId)),
  /** The changed items of a type, in the order of acceptance by this service. @param type the item's SK. */
  changes: (organisationId: number, type: string, range?: Range): List => ({
    index: "GSI3",
    partition: `ORG#${organisationId}#CHANGES#${type}`,
    direction: "ascending",
    rowKey(sortKey) {
      const id = idIn(sortKey, "change");
      return id === undefined ? undefined : itemKey(organisationId, type, id);
    },
    range,
  }),
  apiKeys: (organisationId: number) => timeOrderedList((id) => itemKeys.apiKey(organisationId, id), "descending"),
  activity: (organisationId: number) => timeOrderedList((id) => itemKeys.activity(organisationId, id), "descending"),
  keyUsage: (organisationId: number, keyId: string, from: string, to: string): List => ({
    ...usageList(organisationId, keyId, "ascending", /^DAY#\d{4}-\d\d-\d\d$/),
    range: { from: `DAY#${from}`, to: `DAY#${to}` },
  }),
  keyFailures: (organisationId: number, keyId: string): List => ({
    ...usageList(organisationId, keyId, "descending", new RegExp(`^FAILURE#${failureForm.source.slice(1)}`)),
    range: { from: "FAILURE#", to: "FAILURE#~" },
  }),
  allKeyFailures: (organisationId: number): List => ({
    index: "GSI4",
    partition: `ORG#${organisationId}#KEYFAILURES`,
    direction: "descending",
    rowKey(sortKey) {
      const [time = "", requestId = "", keyId = "", ...others] = sortKey.split("#");
      if (!failureForm.test(`${time}#${requestId}`) || !isTimeOrderedId(keyId) || others.length > 0) return undefined;
      return itemKeys.keyFailure(organisationId, keyId, time, requestId);
    },
  }),
  webhooks: (organisationId: number) => timeOrderedList((id) => itemKeys.webhook(organisationId, id), "descending"),
  webhookDeliveries: (organisationId: number, webhookId: string) =>
    timeOrderedList((id) => itemKeys.webhookDelivery(organisationId, webhookId, id), "descending"),
  /** The active webhooks to poll, in a partition for each of {@link webhookShards}, because all organisations would share a single one. */
  dueWebhooks: (shard: string, until = "~"): List => ({
    index: "GSI4",
    partition: `WEBHOOKSDUE#${shard}`,
    range: { from: "0", to: until },
    direction: "ascending",
    rowKey(sortKey) {
      const [, organisationId, id = ""] = sortKey.split("#");
      return itemKeys.webhook(Number(organisationId), id);
    },
  }),
  organisationAudit: () => timeOrderedList(itemKeys.organisationAudit, "ascending"),
};

function usageList(organisationId: number, keyId: string, direction: List["direction"], isRow: RegExp): List {
  const { PK: partition } = itemKeys.keyUsage(organisationId, keyId, "");
  const rowKey = (sortKey: string) => (isRow.test(sortKey) ? { PK: partition, SK: sortKey } : undefined);
  return { partition, direction, rowKey };
}

/** Null, and a stored text that later rules reject, come before every instant, so they are last in a descending list. */
export function instantSortKey(instant: string | null, id: number): string {
  return `${sortableInstant(instant ?? "")}#${sortableId(id)}`;
}

export function integerSortKey(integer: number, id: number): string {
  return `${sortableInteger(integer)}#${sortableId(id)}`;
}

/** The key attributes of an item in its organisation's changes. They sort alike in the partitions of all types. */
export function changeKey({ PK, SK }: ItemKey, acceptedMs: number): Record<string, string> {
  const [, organisationId, , id] = PK.split("#").map(Number);
  if (organisationId === undefined || id === undefined) throw new Error("The item has no id.");
  const sortKey = `${new Date(acceptedMs).toISOString()}#${SK}#${sortableId(id)}`;
  return listKey(partitions.changes(organisationId, SK), sortKey);
}

export function listAttributes({ index }: Pick<List, "index">): { partitionKey: string; sortKey: string } {
  return { partitionKey: `${index ?? ""}PK`, sortKey: `${index ?? ""}SK` };
}

export function listKey(list: List, sortKey: string): Record<string, string> {
  const names = listAttributes(list);
  return { [names.partitionKey]: list.partition, [names.sortKey]: sortKey };
}

/** A text of any length as part of a key, whose length DynamoDB limits. */
function digestOf(text: string): string {
  return hash("sha256", text, "base64url");
}

/** Ids reach 2^53 − 1, which has 16 digits. */
function sortableId(id: number): string {
  return String(id).padStart(16, "0");
}

/** Every safe integer, shifted to be positive: at most 2^54, which has 17 digits. */
function sortableInteger(integer: number): string {
  return String(BigInt(integer) + 2n ** 53n).padStart(17, "0");
}
