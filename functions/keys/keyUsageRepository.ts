import * as z from "zod";
import { notFound } from "../problem.ts";
import { KeyFailure, type KeyUsage } from "../resources/keyUsage.ts";
import type { Page, PageQuery } from "../resources/page.ts";
import { keys, lists } from "../table/keys.ts";
import { getItem, listItems } from "../table/reads.ts";
import { listRows } from "../table/rows.ts";
import type { Table } from "../table/table.ts";
import { operationCounter } from "./usageWriter.ts";

const Count = z.int().default(0);
const StoredDay = z.looseObject({ date: z.string(), requests: Count, client_errors: Count, server_errors: Count });

const dayMs = 24 * 60 * 60 * 1_000;
const prefix = operationCounter("");

/** The usage and the failures of one organisation's keys. */
export function keyUsageRepository(organisationId: number, table: Table) {
  async function assertKey(keyId: string): Promise<void> {
    if (!(await getItem(table, keys.apiKey(organisationId, keyId)))) throw notFound("API key");
  }

  return {
    /** The usage of the latest days, up to and including today. @throws Problem `not_found` */
    async usage(keyId: string, days: number): Promise<KeyUsage> {
      const nowMs = Date.now();
      const dates = Array.from({ length: days }, (_, index) => dateOf(nowMs - (days - 1 - index) * dayMs));
      const list = lists.keyUsage(organisationId, keyId, dates.at(0) ?? "", dates.at(-1) ?? "");
      const [{ items }] = await Promise.all([listItems(table, list, days), assertKey(keyId)]);
      const stored = new Map(items.map((item) => StoredDay.parse(item)).map((day) => [day.date, day]));
      return {
        days: dates.map((date) => {
          const { requests = 0, client_errors = 0, server_errors = 0 } = stored.get(date) ?? {};
          return { date, requests, client_errors, server_errors };
        }),
        operations: operationsOf([...stored.values()]),
      };
    },

    /** One page of the refused and failed requests, the latest first. @throws Problem `not_found` */
    async failures(keyId: string, page: PageQuery): Promise<Page<KeyFailure>> {
      const list = lists.keyFailures(organisationId, keyId);
      const [rows] = await Promise.all([listRows(table, KeyFailure, list, page), assertKey(keyId)]);
      return rows;
    },
  };
}

/** The operations of all days, the most frequent first. */
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
