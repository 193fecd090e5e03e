import { hash } from "node:crypto";
import { instantMs } from "../../resources/instant.ts";
import { isTimeOrderedId } from "../../resources/timeOrderedId.ts";

/*
 * All keys of the table. No other file formats them.
 *
 * The table finds items by id; the indexes list them by parent, in display order. A primary key never contains a value that can
 * change, so an upsert is one put; the values that sort a list are in the index, which DynamoDB updates. Each partition key of an
 * organisation begins with `ORG#<organisation_id>#` and a type, which the functions' grants refer to.
 */

/** A type, because an interface could not be passed as an item. */
export type ItemKey = { PK: string; SK: string };

export const keys = {
  event: (organisationId: number, id: number) => itemKey(organisationId, "EVENT", id),
  eventDate: (organisationId: number, id: number) => itemKey(organisationId, "DATE", id),
  ticketCategory: (organisationId: number, id: number) => itemKey(organisationId, "CATEGORY", id),
  order: (organisationId: number, id: number) => itemKey(organisationId, "ORDER", id),
  ticket: (organisationId: number, id: number) => itemKey(organisationId, "TICKET", id),
  payment: (organisationId: number, id: number) => itemKey(organisationId, "PAYMENT", id),
  discount: (organisationId: number, id: number) => itemKey(organisationId, "DISCOUNT", id),
  attendee: (organisationId: number, id: number) => itemKey(organisationId, "ATTENDEE", id),
  /** A payment or refund recorded against an event's balance. */
  balancePayment: (organisationId: number, id: number) => itemKey(organisationId, "BALANCEPAYMENT", id),
  /** The running total of what was recorded against an event's balance. */
  balance: (organisationId: number, eventId: number) => itemKey(organisationId, "BALANCE", eventId),
  /** The turns of concurrent requests that change an event's balance. */
  balanceTurns: (organisationId: number, eventId: number): ItemKey => ({
    PK: itemKey(organisationId, "BALANCE", eventId).PK,
    SK: "TURNS",
  }),
  /** The outcome stored under an Idempotency-Key, by the SHA-256 of the API key's id and that key. */
  idempotency: (organisationId: number, hash: string): ItemKey => ({
    PK: `ORG#${organisationId}#IDEMPOTENCY#${hash}`,
    SK: "IDEMPOTENCY",
  }),
  eventSummary: (organisationId: number, eventId: number) => itemKey(organisationId, "EVENTSUMMARY", eventId),
  dateSummary: (organisationId: number, dateId: number) => itemKey(organisationId, "DATESUMMARY", dateId),
  /** What an item adds to the summaries of its event and date, by the item's own partition key. */
  contribution: (itemPartition: string): ItemKey => ({ PK: itemPartition, SK: "CONTRIBUTION" }),
  /** An API key for the authorizer, by the SHA-256 of the secret in lower-case hexadecimal. */
  apiKeyHash: (hash: string): ItemKey => ({ PK: `KEYHASH#${hash}`, SK: "KEYHASH" }),
  /** An API key for its organisation's super-admins; ids are time-ordered. */
  apiKey: (organisationId: number, keyId: string): ItemKey => ({ PK: `ORG#${organisationId}#APIKEYS`, SK: keyId }),
  /** One audit entry about an organisation's API keys; ids are time-ordered. */
  apiKeyActivity: (organisationId: number, id: string): ItemKey => ({
    PK: `ORG#${organisationId}#APIKEYACTIVITY`,
    SK: id,
  }),
  /** The usage of an API key on a day in UTC: `2026-11-22`. */
  keyUsage: (organisationId: number, keyId: string, day: string): ItemKey =>
    usageKey(organisationId, keyId, "DAY", day),
  /** A refused or failed request of an API key, by its time and id. */
  keyFailure: (organisationId: number, keyId: string, time: string, requestId: string): ItemKey =>
    usageKey(organisationId, keyId, "FAILURE", `${time}#${requestId}`),
  /** Marks that a batch of log lines of an API key was counted. */
  countedBatch: (organisationId: number, keyId: string, batchId: string): ItemKey =>
    usageKey(organisationId, keyId, "BATCH", batchId),
  /** Marks that every record has its index attributes. Organisations do not own it. */
  indexesComplete: (): ItemKey => ({ PK: "TABLE#indexes", SK: "COMPLETE" }),
  /** One audit entry about a whole organisation; ids are time-ordered. It outlives the organisation, and functions cannot access it. */
  organisationAudit: (id: string): ItemKey => ({ PK: "AUDIT#organisations", SK: id }),
};

/** The prefix of every partition key of an organisation's data. */
export function organisationPrefix(organisationId: number): string {
  return `ORG#${organisationId}#`;
}

/** The organisation whose data has this partition key. */
export function organisationIdOf(partition: string): number {
  return Number(partition.split("#")[1]);
}

/** The item type in a key: `ORDER`, `CONTRIBUTION`, `APIKEYS`, `KEYHASH`. */
export function itemTypeOf({ PK, SK }: ItemKey): string {
  if (SK === keys.contribution("").SK) return SK;
  const [scope = "", , type = ""] = PK.split("#");
  return scope === "ORG" ? type : scope;
}

type Index = "GSI1" | "GSI2" | "GSI3" | "GSI4";

/**
 * A range of sort keys with both ends. Sort keys end in an id, so an end that is only an instant equals no sort key; it sorts before the rows
 * at that instant.
 */
export interface Range {
  from: string;
  to: string;
}

/** A list: one partition of an index, or of the table itself by default. */
export interface List {
  index?: Index;
  partition: string;
  /** By default the whole partition. */
  range?: Range;
  direction: "ascending" | "descending";
  /** The primary key of the row with this sort key, because a cursor contains only the sort key; undefined if the sort key is invalid. */
  rowKey: (sortKey: string) => ItemKey | undefined;
}

type KeyById = (organisationId: number, id: number) => ItemKey;

/** A list of a whole organisation, in an index. Its sort keys end in `#` and the row's id. */
function listOf(index: Index, name: string, direction: List["direction"], keyOf: KeyById) {
  return (organisationId: number): List => ({
    index,
    partition: `ORG#${organisationId}#${name}`,
    direction,
    rowKey(sortKey) {
      const [, id] = /#([0-9]{16})$/.exec(sortKey) ?? [];
      return id === undefined ? undefined : keyOf(organisationId, Number(id));
    },
  });
}

/** A list of the children of one parent, in an index. Its sort keys end in `#` and the row's id. */
function childrenOf(
  [index, parent]: [Index, "EVENT" | "DATE" | "ORDER"],
  name: string,
  direction: List["direction"],
  keyOf: KeyById,
) {
  return (organisationId: number, parentId: number): List =>
    listOf(index, `${parent}#${parentId}#${name}`, direction, keyOf)(organisationId);
}

/** A list of the table itself, whose sort keys are time-ordered ids. */
function timeOrderedList(keyOf: (id: string) => ItemKey, direction: List["direction"]): List {
  return {
    partition: keyOf("").PK,
    direction,
    rowKey: (sortKey) => (isTimeOrderedId(sortKey) ? keyOf(sortKey) : undefined),
  };
}

/** The lists, each with the question it answers. */
export const lists = {
  /** Which events does the organisation have, most recently created first? */
  events: listOf("GSI1", "EVENTS", "descending", keys.event),
  /** Which dates does the event have, soonest first? */
  eventDates: childrenOf(["GSI1", "EVENT"], "DATES", "ascending", keys.eventDate),
  /** Which ticket categories does the event have, in display order? */
  eventTicketCategories: childrenOf(["GSI1", "EVENT"], "CATEGORIES", "ascending", keys.ticketCategory),
  /** Which discounts does the event have? */
  eventDiscounts: childrenOf(["GSI1", "EVENT"], "DISCOUNTS", "ascending", keys.discount),
  /** Which payments were made for the event, newest first? */
  eventPayments: childrenOf(["GSI1", "EVENT"], "PAYMENTS", "descending", keys.payment),
  /** What was recorded against the event's balance, newest first? */
  eventBalancePayments: childrenOf(["GSI1", "EVENT"], "BALANCEPAYMENTS", "descending", keys.balancePayment),
  /** Which orders were placed for the date, newest first? */
  dateOrders: childrenOf(["GSI1", "DATE"], "ORDERS", "descending", keys.order),
  /** Which tickets does the date have? */
  dateTickets: childrenOf(["GSI1", "DATE"], "TICKETS", "ascending", keys.ticket),
  /** Which attendees does the date have? */
  dateAttendees: childrenOf(["GSI1", "DATE"], "ATTENDEES", "ascending", keys.attendee),
  /** Which orders does the organisation have, newest first? Earlier versions used the partition ORDERS for another list. */
  orders: listOf("GSI2", "ALLORDERS", "descending", keys.order),
  /** Which dates does the organisation have within a range of starts, soonest first? */
  dates: (organisationId: number, range?: Range): List => ({
    ...listOf("GSI2", "ALLDATES", "ascending", keys.eventDate)(organisationId),
    range,
  }),
  /** Which orders have the reference, newest first? */
  ordersByReference: (organisationId: number, reference: string): List =>
    listOf("GSI4", `REFERENCE#${digestOf(reference)}`, "descending", keys.order)(organisationId),
  /** Which tickets have the barcode? */
  ticketsByBarcode: (organisationId: number, barcode: string): List =>
    listOf("GSI4", `BARCODE#${digestOf(barcode)}`, "ascending", keys.ticket)(organisationId),
  /** Which items of a type changed, in the order of acceptance by this service? @param type the item's SK. */
  changes: (organisationId: number, type: string, range?: Range): List => ({
    ...listOf("GSI3", `CHANGES#${type}`, "ascending", (o, id) => itemKey(o, type, id))(organisationId),
    range,
  }),
  /** Which tickets does the order have? */
  orderTickets: childrenOf(["GSI2", "ORDER"], "TICKETS", "ascending", keys.ticket),
  /** Which payments were made for the order, newest first? */
  orderPayments: childrenOf(["GSI2", "ORDER"], "PAYMENTS", "descending", keys.payment),
  /** Which API keys does the organisation have, newest first? */
  apiKeys: (organisationId: number) => timeOrderedList((id) => keys.apiKey(organisationId, id), "descending"),
  /** What was done to the organisation's API keys, newest first? */
  apiKeyActivity: (organisationId: number) =>
    timeOrderedList((id) => keys.apiKeyActivity(organisationId, id), "descending"),
  /** What did the API key do on each day, earliest first? */
  keyUsage: (organisationId: number, keyId: string, from: string, to: string): List => ({
    ...usageList(organisationId, keyId, "ascending"),
    range: { from: `DAY#${from}`, to: `DAY#${to}` },
  }),
  /** Which requests of the API key were refused or failed, latest first? */
  keyFailures: (organisationId: number, keyId: string): List => ({
    ...usageList(organisationId, keyId, "descending"),
    range: { from: "FAILURE#", to: "FAILURE#~" },
  }),
  /** What did the platform team do to whole organisations, oldest first? */
  organisationAudit: () => timeOrderedList(keys.organisationAudit, "ascending"),
};

function usageKey(organisationId: number, keyId: string, kind: "DAY" | "FAILURE" | "BATCH", name: string): ItemKey {
  return { PK: `ORG#${organisationId}#KEYUSAGE#${keyId}`, SK: `${kind}#${name}` };
}

function usageList(organisationId: number, keyId: string, direction: List["direction"]): List {
  const { PK: partition } = keys.keyUsage(organisationId, keyId, "");
  const rowKey = (sortKey: string) => ({ PK: partition, SK: sortKey });
  return { partition, direction, rowKey };
}

/** Sorts by id. */
export function idSortKey(id: number): string {
  return `#${sortableId(id)}`;
}

/** Sorts by instant, then id. Null comes before every instant, so it is last in a descending list. */
export function instantSortKey(instant: string | null, id: number): string {
  return `${instant === null ? "" : timeSortKey(instant)}#${sortableId(id)}`;
}

/** A limit of a range: before every row at this instant, and after every earlier one. */
export function timeSortKey(instant: string): string {
  return new Date(instantMs(instant)).toISOString();
}

/** Sorts by a signed integer, then id. */
export function integerSortKey(integer: number, id: number): string {
  return `${sortableInteger(integer)}#${sortableId(id)}`;
}

/** The key attributes of an item in its organisation's changes. Their order is the same in the partitions of all types. */
export function changeKey({ PK, SK }: ItemKey, acceptedMs: number): Record<string, string> {
  const [, organisationId, , id] = PK.split("#").map(Number);
  if (organisationId === undefined || id === undefined) throw new Error("The item has no id.");
  const sortKey = `${new Date(acceptedMs).toISOString()}#${SK}#${sortableId(id)}`;
  return listKey(lists.changes(organisationId, SK), sortKey);
}

/** The names of a list's key attributes. */
export function listAttributes({ index }: Pick<List, "index">): { partitionKey: string; sortKey: string } {
  return { partitionKey: `${index ?? ""}PK`, sortKey: `${index ?? ""}SK` };
}

/** The key attributes of an item in a list. */
export function listKey(list: List, sortKey: string): Record<string, string> {
  const names = listAttributes(list);
  return { [names.partitionKey]: list.partition, [names.sortKey]: sortKey };
}

function itemKey(organisationId: number, type: string, id: number): ItemKey {
  return { PK: `ORG#${organisationId}#${type}#${id}`, SK: type };
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
