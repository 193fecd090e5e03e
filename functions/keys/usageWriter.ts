import type { KeyFailure } from "../resources/keyUsage.ts";
import { ConditionFailed } from "../table/errors.ts";
import { keys } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { type TransactWrite, transactWrite } from "../table/writes.ts";

/** A request of an API key, from its log line. */
export interface UsedKey extends KeyFailure {
  organisation_id: number;
  key_id: string;
}

const daySeconds = 24 * 60 * 60;
/** The 90 days that the usage can show, and a day at each end. */
const usageKeptDays = 92;
const failuresKeptDays = 7;
/** CloudWatch Logs repeats a delivery for up to a day. */
const batchKeptDays = 2;
/** A key that is refused on every request must not fill the table. */
const maximumFailures = 20;

/** The attribute that counts an operation's requests. */
export const operationCounter = (operationId: string) => `requests_${operationId}`;

/** Divides log lines into those of each key and day. */
export function keyDaysOf(lines: readonly UsedKey[]): UsedKey[][] {
  return [...Map.groupBy(lines, (line) => `${line.organisation_id} ${line.key_id} ${dayOf(line)}`).values()];
}

/**
 * Counts a key's log lines of one day exactly once, regardless of repeated deliveries and their order: one transaction writes the counts and marks
 * the batch.
 *
 * @param batchId the same for the same lines.
 */
export async function countKeyDay(table: Table, batchId: string, lines: UsedKey[]): Promise<void> {
  const [first] = lines;
  if (!first) return;
  const { organisation_id, key_id } = first;
  const day = dayOf(first);
  const marker = {
    ...keys.countedBatch(organisation_id, key_id, `${day}#${batchId}`),
    expires_at: expiry(batchKeptDays),
  };
  const failures = lines.filter(({ status }) => status >= 400).slice(-maximumFailures);
  try {
    await transactWrite(table, [
      { put: marker, condition: { condition: "attribute_not_exists(PK)" } },
      { key: keys.keyUsage(organisation_id, key_id, day), change: additions(day, lines) },
      ...failures.map(failureWrite),
    ]);
  } catch (error) {
    // An earlier delivery was counted.
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

function additions(day: string, lines: UsedKey[]) {
  const counts: Record<string, number> = { requests: lines.length };
  const add = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  for (const { operation_id, status } of lines) {
    add(operationCounter(operation_id));
    if (status >= 500) add("server_errors");
    else if (status >= 400) add("client_errors");
  }
  const entries = Object.entries(counts);
  return {
    update: `SET #day = :day, expires_at = :expiry ADD ${entries.map((_, index) => `#${index} :${index}`).join(", ")}`,
    names: { "#day": "date", ...Object.fromEntries(entries.map(([name], index) => [`#${index}`, name])) },
    values: {
      ":day": day,
      ":expiry": expiry(usageKeptDays),
      ...Object.fromEntries(entries.map(([, count], index) => [`:${index}`, count])),
    },
  };
}

function failureWrite({ organisation_id, key_id, ...failure }: UsedKey): TransactWrite {
  const key = keys.keyFailure(organisation_id, key_id, failure.time, failure.request_id);
  return { put: { ...key, ...failure, expires_at: expiry(failuresKeptDays) } };
}

function dayOf({ time }: KeyFailure): string {
  return time.slice(0, "YYYY-MM-DD".length);
}

function expiry(days: number): number {
  return Math.ceil(Date.now() / 1000) + days * daySeconds;
}
