import { hash } from "node:crypto";
import * as z from "zod";
import { notFound } from "../problem.ts";
import type { Page, PageQuery } from "../resources/page.ts";
import { storedForm } from "../resources/resource.ts";
import type { Item } from "../table/item.ts";
import { type ItemKey, itemKeys } from "../table/itemKeys.ts";
import { listKey, partitions } from "../table/lists.ts";
import { getItem, getItems, listItems } from "../table/reads.ts";
import { listRows } from "../table/rows.ts";
import type { Table } from "../table/table.ts";
import { isWritten, type TransactWrite, transactWrite, updateOf } from "../table/writes.ts";
import { KeyFailure, type KeyUsage } from "./keyUsage.ts";

const Count = z.int().default(0);
const StoredDay = z.looseObject({
  date: z.string(),
  requests: Count,
  client_errors: Count,
  server_errors: Count,
  refused: Count,
});
const StoredFailure = storedForm(KeyFailure);

const dayMs = 24 * 60 * 60 * 1_000;
const prefix = operationCounter("");

export function keyUsageRepository(organisationId: number, table: Table) {
  async function assertKey(keyId: string): Promise<void> {
    if (!(await getItem(table, itemKeys.apiKey(organisationId, keyId)))) throw notFound("API key");
  }

  return {
    /** The usage of the latest days, up to and including today. @throws Problem `not_found` */
    async usage(keyId: string, days: number): Promise<KeyUsage> {
      const nowMs = Date.now();
      const dates = Array.from({ length: days }, (_, index) => dateOf(nowMs - (days - 1 - index) * dayMs));
      const list = partitions.keyUsage(organisationId, keyId, dates.at(0) ?? "", dates.at(-1) ?? "");
      const [{ items }] = await Promise.all([listItems(table, list, days), assertKey(keyId)]);
      const stored = new Map(items.map((item) => StoredDay.parse(item)).map((day) => [day.date, day]));
      return {
        days: dates.map((date) => {
          const { requests = 0, client_errors = 0, server_errors = 0, refused = 0 } = stored.get(date) ?? {};
          return { date, requests, client_errors, server_errors, refused };
        }),
        operations: operationsOf([...stored.values()]),
      };
    },

    /** One page of a key's refused and failed requests, the latest first. @throws Problem `not_found` */
    async failures(keyId: string, page: PageQuery): Promise<Page<KeyFailure>> {
      const list = partitions.keyFailures(organisationId, keyId);
      const [rows] = await Promise.all([listRows(table, StoredFailure, list, page), assertKey(keyId)]);
      return rows;
    },

    /** The refused and failed requests, the latest first. */
    allFailures: (page: PageQuery): Promise<Page<KeyFailure>> =>
      listRows(table, StoredFailure, partitions.allKeyFailures(organisationId), page),
  };
}

/** The most frequent first. */
function operationsOf(days: z.infer<typeof StoredDay>[]): KeyUsage["operations"] {
  const requests = new Map<string, number>();
  for (const [name, count] of days.flatMap((day) => Object.entries(day))) {
    if (!name.startsWith(prefix)) continue;
    const operation_id = name.slice(prefix.length);
    requests.set(operation_id, (requests.get(operation_id) ?? 0) + Number(count));
  }
  return [...requests]
    .map(([operation_id, count]) => ({ operation_id, requests: count }))
    .sort((one, other) => other.requests - one.requests || (one.operation_id < other.operation_id ? -1 : 1));
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, "YYYY-MM-DD".length);
}

type Reason = "method" | "path" | "code" | "detail";
/** A request of an API key, from its log line. Without an operation, the key itself was refused. */
export type UsedKey = Omit<KeyFailure, Reason | "first_time" | "count"> &
  Record<Reason, string | null> & { organisation_id: number };

const daySeconds = 24 * 60 * 60;
/** The 90 days that the usage can show, and a day at each end. */
const usageKeptDays = 92;
const failuresKeptDays = 7;
/** CloudWatch Logs redelivers for up to a day. */
const batchKeptDays = 2;
/** Different failures of a batch. A key that is refused on every request must not fill the table. */
const maximumFailures = 20;

function operationCounter(operationId: string): string {
  return `requests_${operationId}`;
}

export function keyDaysOf(lines: readonly UsedKey[]): UsedKey[][] {
  return [...Map.groupBy(lines, (line) => `${line.organisation_id} ${line.key_id} ${dayOf(line)}`).values()];
}

/**
 * Counts a key's log lines of one day exactly once, regardless of repeated deliveries and their order: one transaction writes the counts and marks
 * the batch.
 * @param batchId the same for the same lines.
 */
export async function countKeyDay(table: Table, batchId: string, lines: UsedKey[]): Promise<void> {
  const [first] = lines;
  if (!first) return;
  const { organisation_id, key_id } = first;
  const day = dayOf(first);
  const marker = {
    ...itemKeys.countedBatch(organisation_id, key_id, `${day}#${batchId}`),
    expires_at: expiry(batchKeptDays),
  };
  const failures = equalFailures(lines).slice(-maximumFailures);
  for (;;) {
    const stored = await getItems(table, [marker, ...failures.map(({ place }) => place)], { isConsistent: true });
    const bySortKey = new Map(stored.map((item) => [item.SK, item]));
    if (bySortKey.has(marker.SK)) return;
    const writes: TransactWrite[] = [
      { put: marker, condition: { condition: "attribute_not_exists(PK)" } },
      { key: itemKeys.keyUsage(organisation_id, key_id, day), change: additions(day, lines) },
      ...failures.flatMap((group) => failureWrites(group, bySortKey.get(group.place.SK))),
    ];
    // Otherwise another delivery has counted this batch or equal failures since the read.
    if (await isWritten(transactWrite(table, writes))) return;
  }
}

interface EqualFailures {
  place: ItemKey;
  lines: [UsedKey, ...UsedKey[]];
}

/** The failures in groups of equal ones, the group with the latest last. A refused key is refused for every request. */
function equalFailures(lines: readonly UsedKey[]): EqualFailures[] {
  const groups = new Map<string, EqualFailures>();
  for (const line of lines.filter(({ status }) => status >= 400)) {
    const { organisation_id, key_id, time: _, request_id: __, method, path, ...reason } = line;
    const equal = line.operation_id === null ? reason : { ...reason, method, path };
    const digest = hash("sha256", JSON.stringify(Object.entries(equal).sort()), "base64url");
    const { lines: earlier = [], place = itemKeys.equalFailures(organisation_id, key_id, dayOf(line), digest) } =
      groups.get(digest) ?? {};
    groups.delete(digest);
    groups.set(digest, { place, lines: [line, ...earlier] });
  }
  return [...groups.values()];
}

function additions(day: string, lines: UsedKey[]) {
  const counts: Record<string, number> = {};
  const add = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  for (const { operation_id, status } of lines) {
    if (operation_id === null) {
      add("refused");
      continue;
    }
    add("requests");
    add(operationCounter(operation_id));
    if (status >= 500) add("server_errors");
    else if (status >= 400) add("client_errors");
  }
  return updateOf({ set: { date: day, expires_at: expiry(usageKeptDays) }, add: counts });
}

/** Where the row of equal failures is, the latest request, and what the row counts. */
const CountedFailures = z.object({
  time: z.string(),
  request_id: z.string(),
  method: z.string().nullable().default(null),
  path: z.string().nullable().default(null),
  first_time: z.string(),
  count: z.int(),
});

/** Moves the row of equal failures to the time of the latest. Deliveries may arrive in any order. */
function failureWrites({ place, lines: [line, ...others] }: EqualFailures, item: Item | undefined): TransactWrite[] {
  const { organisation_id, ...failure } = line;
  const before = item && CountedFailures.parse(item);
  const all = [line, ...others, ...(before ? [before] : [])];
  const { time, request_id, method, path } = all.reduce((one, other) => (orderOf(one) < orderOf(other) ? other : one));
  const first_time = [...all.map((one) => one.time), ...(before ? [before.first_time] : [])].sort()[0] ?? time;
  const counted = { time, request_id, method, path, first_time, count: (before?.count ?? 0) + 1 + others.length };
  const rowKey = (at: Pick<KeyFailure, "time" | "request_id">) =>
    itemKeys.keyFailure(organisation_id, failure.key_id, at.time, at.request_id);
  const key = rowKey(counted);
  const isMoved = before !== undefined && rowKey(before).SK !== key.SK;
  const listed = listKey(partitions.allKeyFailures(organisation_id), `${time}#${request_id}#${failure.key_id}`);
  const expires_at = expiry(failuresKeptDays);
  const unchanged = before
    ? { condition: "#count = :count", names: { "#count": "count" }, values: { ":count": before.count } }
    : { condition: "attribute_not_exists(PK)" };
  return [
    { put: { ...place, ...counted, expires_at }, condition: unchanged },
    ...(isMoved ? [{ delete: rowKey(before) }] : []),
    { put: { ...key, ...listed, ...failure, ...counted, expires_at } },
  ];
}

function orderOf({ time, request_id }: Pick<KeyFailure, "time" | "request_id">): string {
  return `${time}#${request_id}`;
}

function dayOf({ time }: UsedKey): string {
  return time.slice(0, "YYYY-MM-DD".length);
}

function expiry(days: number): number {
  return Math.ceil(Date.now() / 1000) + days * daySeconds;
}
