import { instantMs } from "../../resources/instant.ts";
import { isTimeOrderedId } from "../../resources/timeOrderedId.ts";

/*
 * Every key of the table, and nothing else knows how one is written.
 *
 * The table answers by id; the indexes answer by parent, in display order. A primary key never holds anything that can change,
 * so an upsert is one put; what orders a list stands in the index, which DynamoDB keeps in step. Each key of an
 * organisation begins with `ORG#<organisation_id>#` and a type, by which the grants of the functions name it.
 */

export interface ItemKey {
  PK: string;
  SK: string;
}

/** The primary keys. */
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
  /** What was recorded against an event's balance so far, in all. */
  balance: (organisationId: number, eventId: number) => itemKey(organisationId, "BALANCE", eventId),
  /** The answer that an Idempotency-Key gave, by the SHA-256 of the API key's id and that key. */
  idempotency: (organisationId: number, hash: string): ItemKey => ({
    PK: `ORG#${organisationId}#IDEMPOTENCY#${hash}`,
    SK: "IDEMPOTENCY",
  }),
  /** The numbers of an event, and of each date of it. */
  eventSummary: (organisationId: number, eventId: number) => itemKey(organisationId, "EVENTSUMMARY", eventId),
  dateSummary: (organisationId: number, dateId: number) => itemKey(organisationId, "DATESUMMARY", dateId),
  /** What an item adds to the numbers of its event and date, by the item's own partition key. */
  contribution: (itemPartition: string): ItemKey => ({ PK: itemPartition, SK: "CONTRIBUTION" }),
  /** An API key as the authorizer finds it: by the SHA-256 of the secret, in lower-case hexadecimal. */
  apiKeyHash: (hash: string): ItemKey => ({ PK: `KEYHASH#${hash}`, SK: "KEYHASH" }),
  /** An API key as its organisation's super-admin finds it; ids are time-ordered. */
  apiKey: (organisationId: number, keyId: string): ItemKey => ({ PK: `ORG#${organisationId}#APIKEYS`, SK: keyId }),
  /** One thing that was done to an organisation's API keys; ids are time-ordered. */
  apiKeyActivity: (organisationId: number, id: string): ItemKey => ({
    PK: `ORG#${organisationId}#APIKEYACTIVITY`,
    SK: id,
  }),
  /** One thing that the platform team did to a whole organisation; ids are time-ordered. It outlives the organisation, and no function reaches it. */
  organisationAudit: (id: string): ItemKey => ({ PK: "AUDIT#organisations", SK: id }),
};

/** What every partition key of an organisation's data begins with. */
export function organisationPrefix(organisationId: number): string {
  return `ORG#${organisationId}#`;
}

/** The organisation whose data has this partition key. */
export function organisationIdOf(partition: string): number {
  return Number(partition.split("#")[1]);
}

/** What kind of item has this key, as keys name it: `ORDER`, `CONTRIBUTION`, `APIKEYS`, `KEYHASH`. */
export function itemTypeOf({ PK, SK }: ItemKey): string {
  if (SK === keys.contribution("").SK) return SK;
  const [scope = "", , type = ""] = PK.split("#");
  return scope === "ORG" ? type : scope;
}

/** A list: one partition of an index, or of the table itself where no index is named. */
export interface List {
  index?: "GSI1" | "GSI2";
  partition: string;
  direction: "ascending" | "descending";
  /** The primary key of the row with this sort key, since a cursor holds the sort key alone; undefined where no row can have it. */
  rowKey: (sortKey: string) => ItemKey | undefined;
}

type KeyById = (organisationId: number, id: number) => ItemKey;

/** A list of a whole organisation: an index's partition, whose sort keys end in `#` and the row's id. */
function listOf(index: "GSI1" | "GSI2", name: string, direction: List["direction"], rowKey: KeyById) {
  return (organisationId: number): List => ({
    index,
    partition: `ORG#${organisationId}#${name}`,
    direction,
    rowKey: byId(organisationId, rowKey),
  });
}

/** A list of what belongs to one parent, in the same way. */
function childrenOf(
  [index, parent]: ["GSI1" | "GSI2", "EVENT" | "DATE" | "ORDER"],
  name: string,
  direction: List["direction"],
  rowKey: KeyById,
) {
  return (organisationId: number, parentId: number): List =>
    listOf(index, `${parent}#${parentId}#${name}`, direction, rowKey)(organisationId);
}

/** The lists, each with the question it answers. */
export const lists = {
  /** Which events has the organisation, most recently created first? */
  events: listOf("GSI1", "EVENTS", "descending", keys.event),
  /** Which dates has the event, soonest first? */
  eventDates: childrenOf(["GSI1", "EVENT"], "DATES", "ascending", keys.eventDate),
  /** Which ticket categories has the event, in display order? */
  eventTicketCategories: childrenOf(["GSI1", "EVENT"], "CATEGORIES", "ascending", keys.ticketCategory),
  /** Which discounts has the event? */
  eventDiscounts: childrenOf(["GSI1", "EVENT"], "DISCOUNTS", "ascending", keys.discount),
  /** Which payments were made for the event, latest first? */
  eventPayments: childrenOf(["GSI1", "EVENT"], "PAYMENTS", "descending", keys.payment),
  /** What was recorded against the event's balance, latest first? */
  eventBalancePayments: childrenOf(["GSI1", "EVENT"], "BALANCEPAYMENTS", "descending", keys.balancePayment),
  /** Which orders were placed for the date, latest first? */
  dateOrders: childrenOf(["GSI1", "DATE"], "ORDERS", "descending", keys.order),
  /** Which tickets are there for the date? */
  dateTickets: childrenOf(["GSI1", "DATE"], "TICKETS", "ascending", keys.ticket),
  /** Who comes on the date? */
  dateAttendees: childrenOf(["GSI1", "DATE"], "ATTENDEES", "ascending", keys.attendee),
  /** Which of the organisation's orders changed, in the order in which this service accepted the changes? */
  orders: listOf("GSI2", "ORDERS", "ascending", keys.order),
  /** Which tickets has the order? */
  orderTickets: childrenOf(["GSI2", "ORDER"], "TICKETS", "ascending", keys.ticket),
  /** Which payments were made for the order, latest first? */
  orderPayments: childrenOf(["GSI2", "ORDER"], "PAYMENTS", "descending", keys.payment),
  /** Which API keys has the organisation, newest first? */
  apiKeys: (organisationId: number): List => ({
    partition: keys.apiKey(organisationId, "").PK,
    direction: "descending",
    rowKey: (sortKey) => (isTimeOrderedId(sortKey) ? keys.apiKey(organisationId, sortKey) : undefined),
  }),
  /** What was done to the organisation's API keys, latest first? */
  apiKeyActivity: (organisationId: number): List => ({
    partition: keys.apiKeyActivity(organisationId, "").PK,
    direction: "descending",
    rowKey: (sortKey) => (isTimeOrderedId(sortKey) ? keys.apiKeyActivity(organisationId, sortKey) : undefined),
  }),
  /** What did the platform team do to whole organisations, in the order in which it did? */
  organisationAudit: (): List => ({
    partition: keys.organisationAudit("").PK,
    direction: "ascending",
    rowKey: (sortKey) => (isTimeOrderedId(sortKey) ? keys.organisationAudit(sortKey) : undefined),
  }),
};

function byId(organisationId: number, keyOf: KeyById): List["rowKey"] {
  return (sortKey) => {
    const [, id] = /#([0-9]{16})$/.exec(sortKey) ?? [];
    return id === undefined ? undefined : keyOf(organisationId, Number(id));
  };
}

/** A sort key that orders by id. */
export function idSortKey(id: number): string {
  return `#${sortableId(id)}`;
}

/** A sort key that orders by instant, then id. Null comes before every instant, so last where a list descends. */
export function instantSortKey(instant: string | null, id: number): string {
  return `${instant === null ? "" : new Date(instantMs(instant)).toISOString()}#${sortableId(id)}`;
}

/** A sort key that orders by a signed integer, then id. */
export function integerSortKey(integer: number, id: number): string {
  return `${sortableInteger(integer)}#${sortableId(id)}`;
}

/** The names of the two attributes by which a list's partition is found and its rows are ordered. */
export function listAttributes({ index }: Pick<List, "index">): { partitionKey: string; sortKey: string } {
  return { partitionKey: `${index ?? ""}PK`, sortKey: `${index ?? ""}SK` };
}

/** The attribute that puts an item into a list whose order it does not know yet. */
export function listPartition(list: List): Record<string, string> {
  return { [listAttributes(list).partitionKey]: list.partition };
}

/** The attributes that place an item in a list. */
export function listKey(list: List, sortKey: string): Record<string, string> {
  const names = listAttributes(list);
  return { [names.partitionKey]: list.partition, [names.sortKey]: sortKey };
}

function itemKey(organisationId: number, type: string, id: number): ItemKey {
  return { PK: `ORG#${organisationId}#${type}#${id}`, SK: type };
}

/** Ids reach 2^53 − 1, which has 16 digits. */
function sortableId(id: number): string {
  return String(id).padStart(16, "0");
}

/** Every safe integer, shifted to be positive: at most 2^54, which has 17 digits. */
function sortableInteger(integer: number): string {
  return String(BigInt(integer) + 2n ** 53n).padStart(17, "0");
}
