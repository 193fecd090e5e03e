import { instantMs } from "../resources/instant.ts";
import { isTimeOrderedId } from "../resources/timeOrderedId.ts";

/*
 * Every key of the table, and nothing else knows how one is written.
 *
 * The table answers by id; the indexes answer by parent, in display order. A primary key never holds anything that can change,
 * so an upsert is one put; what orders a list stands in the index, which DynamoDB keeps in step. All organisation data begins with
 * `ORG#<organisation_id>#`, on which the grants of the functions rest.
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
  /** An API key as the authorizer finds it: by the SHA-256 of the secret, in lower-case hexadecimal. */
  apiKeyHash: (hash: string): ItemKey => ({ PK: `KEYHASH#${hash}`, SK: "KEYHASH" }),
  /** An API key as its organisation's super-admin finds it; ids are time-ordered. */
  apiKey: (organisationId: number, keyId: string): ItemKey => ({ PK: `ORG#${organisationId}#APIKEYS`, SK: keyId }),
  /** One thing that was done to an organisation's API keys; ids are time-ordered. */
  apiKeyActivity: (organisationId: number, id: string): ItemKey => ({
    PK: `ORG#${organisationId}#APIKEYACTIVITY`,
    SK: id,
  }),
};

/** A list: one partition of an index, or of the table itself where no index is named. */
export interface List {
  index?: "GSI1" | "GSI2";
  partition: string;
  direction: "ascending" | "descending";
  /** The primary key of the row with this sort key, since a cursor holds the sort key alone; undefined where no row can have it. */
  rowKey: (sortKey: string) => ItemKey | undefined;
}

/** The lists, each with the question it answers. */
export const lists = {
  /** Which events has the organisation, most recently created first? */
  events: (organisationId: number): List => ({
    index: "GSI1",
    partition: `ORG#${organisationId}#EVENTS`,
    direction: "descending",
    rowKey: byId((id) => keys.event(organisationId, id)),
  }),
  /** Which dates has the event, soonest first? */
  eventDates: (organisationId: number, eventId: number): List => ({
    index: "GSI1",
    partition: `ORG#${organisationId}#EVENT#${eventId}#DATES`,
    direction: "ascending",
    rowKey: byId((id) => keys.eventDate(organisationId, id)),
  }),
  /** Which ticket categories has the event, in display order? */
  eventTicketCategories: (organisationId: number, eventId: number): List => ({
    index: "GSI1",
    partition: `ORG#${organisationId}#EVENT#${eventId}#CATEGORIES`,
    direction: "ascending",
    rowKey: byId((id) => keys.ticketCategory(organisationId, id)),
  }),
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
};

/** Of a list of an index, whose sort keys end in `#` and the row's id. */
function byId(keyOf: (id: number) => ItemKey): List["rowKey"] {
  return (sortKey) => {
    const [, id] = /#([0-9]{16})$/.exec(sortKey) ?? [];
    return id === undefined ? undefined : keyOf(Number(id));
  };
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
