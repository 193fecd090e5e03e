import { type ResourceType, resourceTypes } from "../resources/resource.ts";

/*
 * All primary keys of the table; `lists.ts` has those of its indexes. No other file formats them.
 *
 * A primary key never contains a value that can change, so an upsert is one put. Each partition key of an organisation's data begins with
 * `ORG#<organisation_id>#` and a type, which the functions' grants refer to. Those of API keys' hashes and tags begin otherwise, because
 * they are read before the organisation is known.
 */

/** A type, because an interface could not be passed as an item. */
export type ItemKey = { PK: string; SK: string };

const resourceKeys = Object.fromEntries(
  Object.entries(resourceTypes).map(([type, { item }]) => [type, (o: number, id: number) => itemKey(o, item, id)]),
) as { [Type in ResourceType]: (organisationId: number, id: number) => ItemKey };

export const itemKeys = {
  ...resourceKeys,
  /** The running total of what was recorded against an event's balance. */
  balance: (organisationId: number, eventId: number) => itemKey(organisationId, "BALANCE", eventId),
  /** The outcome stored under an Idempotency-Key, by the SHA-256 of the caller's id and that key. */
  idempotency: (organisationId: number, hash: string): ItemKey => ({
    PK: `ORG#${organisationId}#IDEMPOTENCY#${hash}`,
    SK: "IDEMPOTENCY",
  }),
  eventSummary: (organisationId: number, eventId: number, row?: SummaryRow) =>
    summaryRow(itemKey(organisationId, "EVENTSUMMARY", eventId), row),
  dateSummary: (organisationId: number, dateId: number, row?: SummaryRow) =>
    summaryRow(itemKey(organisationId, "DATESUMMARY", dateId), row),
  /** The last count of an order with its tickets and payments, or of another item, by its partition key. */
  lastCounted: (itemPartition: string): ItemKey => ({ PK: itemPartition, SK: "LASTCOUNTED" }),
  /** An API key for the authorizer, by the SHA-256 of the secret in lower-case hexadecimal. */
  apiKeyHash: (hash: string): ItemKey => ({ PK: `KEYHASH#${hash}`, SK: "KEYHASH" }),
  /** An API key for its organisation's super-admins; ids are time-ordered. */
  apiKey: (organisationId: number, keyId: string): ItemKey => ({ PK: `ORG#${organisationId}#APIKEYS`, SK: keyId }),
  /** Shared by an organisation's API keys: their tag, and a suspension. */
  access: (organisationId: number): ItemKey => ({ PK: `ORG#${organisationId}#ACCESS`, SK: "ACCESS" }),
  /** One audit entry about an organisation's API keys and webhooks; ids are time-ordered. */
  activity: (organisationId: number, id: string): ItemKey => ({ PK: `ORG#${organisationId}#ACTIVITY`, SK: id }),
  /** The usage of an API key on a day in UTC: `2026-11-22`. */
  keyUsage: (organisationId: number, keyId: string, day: string): ItemKey =>
    usageKey(organisationId, keyId, "DAY", day),
  /** A refused or failed request of an API key, by its time and id. */
  keyFailure: (organisationId: number, keyId: string, time: string, requestId: string): ItemKey =>
    usageKey(organisationId, keyId, "FAILURE", `${time}#${requestId}`),
  /** Where the row of equal failures of a day is. @param digest of what makes them equal. */
  equalFailures: (organisationId: number, keyId: string, day: string, digest: string): ItemKey =>
    usageKey(organisationId, keyId, "EQUAL", `${day}#${digest}`),
  /** Marks that a batch of log lines of an API key was counted. */
  countedBatch: (organisationId: number, keyId: string, batchId: string): ItemKey =>
    usageKey(organisationId, keyId, "BATCH", batchId),
  webhook: (organisationId: number, id: string): ItemKey => ({ PK: `ORG#${organisationId}#WEBHOOKS`, SK: id }),
  /** The lock of the count of webhooks, which each creation changes. */
  webhookCount: (organisationId: number): ItemKey => ({ PK: `ORG#${organisationId}#WEBHOOKCOUNT`, SK: "WEBHOOKCOUNT" }),
  webhookDelivery: (organisationId: number, webhookId: string, id: string): ItemKey => ({
    PK: `ORG#${organisationId}#WEBHOOKDELIVERIES#${webhookId}`,
    SK: id,
  }),
  /** Never written: reading it returns the table's time. */
  clock: (): ItemKey => ({ PK: "TABLE#clock", SK: "CLOCK" }),
  /** One audit entry about a whole organisation; ids are time-ordered. It outlives the organisation, and functions cannot access it. */
  organisationAudit: (id: string): ItemKey => ({ PK: "AUDIT#organisations", SK: id }),
};

export function organisationPrefix(organisationId: number): string {
  return `ORG#${organisationId}#`;
}

export function organisationIdOf(partition: string): number {
  return Number(partition.split("#")[1]);
}

/** The item type in a key: `ORDER`, `LASTCOUNTED`, `APIKEYS`, `KEYHASH`. */
export function itemTypeOf({ PK, SK }: ItemKey): string {
  if (SK === itemKeys.lastCounted("").SK) return SK;
  const [scope = "", , type = ""] = PK.split("#");
  return scope === "ORG" ? type : scope;
}

/** The row of a summary for a block of ticket categories, or for what belongs to none, and for a currency. */
export interface SummaryRow {
  block?: number | undefined;
  currency?: string | undefined;
}

/** Rows are in the order of their blocks. */
function summaryRow({ PK, SK }: ItemKey, { block, currency = "" }: SummaryRow = {}): ItemKey {
  return { PK, SK: `${SK}#${block === undefined ? "" : String(block).padStart(16, "0")}#${currency}` };
}

/** @throws Error if the sort key is not one of a summary's row. */
export function summaryRowOf(sortKey: string): SummaryRow & { currency: string } {
  const [, block, currency] = /^[A-Z]+SUMMARY#(\d{16})?#(.*)$/s.exec(sortKey) ?? [];
  if (currency === undefined) throw new Error("The key is not one of a summary.");
  return { block: block === undefined ? undefined : Number(block), currency };
}

function usageKey(
  organisationId: number,
  keyId: string,
  kind: "DAY" | "FAILURE" | "EQUAL" | "BATCH",
  name: string,
): ItemKey {
  return { PK: `ORG#${organisationId}#KEYUSAGE#${keyId}`, SK: `${kind}#${name}` };
}

/** The key of the only item in its partition. @param type the item's, which is also its sort key. */
export function itemKey(organisationId: number, type: string, id: number): ItemKey {
  return { PK: `ORG#${organisationId}#${type}#${id}`, SK: type };
}
