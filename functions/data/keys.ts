import { instantMs } from "../resources/instant.ts";

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
};

/** A list: one partition of an index, whose sort keys end in the row's id. */
export interface List {
  index: "GSI1" | "GSI2";
  partition: string;
  direction: "ascending" | "descending";
  /** The primary key of the row with this id; a cursor holds the sort key alone. */
  rowKey: (id: number) => ItemKey;
}

/** The lists, each with the question it answers. */
export const lists = {
  /** Which events has the organisation, most recently created first? */
  events: (organisationId: number): List => ({
    index: "GSI1",
    partition: `ORG#${organisationId}#EVENTS`,
    direction: "descending",
    rowKey: (id) => keys.event(organisationId, id),
  }),
  /** Which dates has the event, soonest first? */
  eventDates: (organisationId: number, eventId: number): List => ({
    index: "GSI1",
    partition: `ORG#${organisationId}#EVENT#${eventId}#DATES`,
    direction: "ascending",
    rowKey: (id) => keys.eventDate(organisationId, id),
  }),
  /** Which ticket categories has the event, in display order? */
  eventTicketCategories: (organisationId: number, eventId: number): List => ({
    index: "GSI1",
    partition: `ORG#${organisationId}#EVENT#${eventId}#CATEGORIES`,
    direction: "ascending",
    rowKey: (id) => keys.ticketCategory(organisationId, id),
  }),
};

/** A sort key that orders by instant, then id. Null comes before every instant, so last where a list descends. */
export function instantSortKey(instant: string | null, id: number): string {
  return `${instant === null ? "" : new Date(instantMs(instant)).toISOString()}#${sortableId(id)}`;
}

/** A sort key that orders by a signed integer, then id. */
export function integerSortKey(integer: number, id: number): string {
  return `${sortableInteger(integer)}#${sortableId(id)}`;
}

/** The id at the end of a sort key. */
export function idOfSortKey(sortKey: string): number {
  return Number(sortKey.slice(sortKey.lastIndexOf("#") + 1));
}

/** The attributes that place an item in a list. */
export function listKey({ index, partition }: List, sortKey: string): Record<string, string> {
  return { [`${index}PK`]: partition, [`${index}SK`]: sortKey };
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
