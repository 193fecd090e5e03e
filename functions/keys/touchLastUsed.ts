import { setTimeout as wait } from "node:timers/promises";
import { logger } from "../log/logger.ts";
import type { Table } from "../table/table.ts";
import { type ApiKeyHash, isLastUsedStale, lastUsedPrecisionMs, recordLastUsed } from "./apiKeyHashes.ts";

/**
 * How long a request waits for the write, at most once a minute for each key. Lambda freezes a process after its response, so a
 * write that has just started might never be sent. After this wait it has been sent, and DynamoDB executes it even if nobody waits for
 * the response.
 */
export const patienceMs = 20;

/** When this process last tried to write, by the key's hash. Without it, every request would retry a hanging or failing write. */
const triedMs = new Map<string, number>();

/** Records that the key is in use, unless the last record is within the promised precision. Never throws. */
export async function touchLastUsed(table: Table, key: ApiKeyHash): Promise<void> {
  const now = new Date();
  const lastTriedMs = triedMs.get(key.hash) ?? 0;
  if (!isLastUsedStale(key, now) || now.getTime() - lastTriedMs < lastUsedPrecisionMs) return;
  triedMs.set(key.hash, now.getTime());
  const write = recordLastUsed(table, key.hash, now).catch((error: Error) => {
    logger.warn("The last use of a key could not be written.", { key_prefix: key.prefix, error });
  });
  const patience = new AbortController();
  await Promise.race([write, wait(patienceMs, undefined, { signal: patience.signal }).catch(() => undefined)]);
  patience.abort();
}
