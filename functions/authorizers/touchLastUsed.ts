import { setTimeout as wait } from "node:timers/promises";
import {
  type ApiKeyHash,
  isLastUsedStale,
  lastUsedPrecisionMs,
  recordLastUsed,
} from "../data/repositories/apiKeyHashes.ts";
import type { Table } from "../data/table/table.ts";
import { logger } from "../log/logger.ts";

/**
 * The longest that a request may wait for the write, once a minute a key. Lambda freezes a process that has answered, so
 * a write that was only begun might never leave it; by this time it is on its way, and DynamoDB does it whether or not
 * somebody waits for the answer.
 */
const patienceMs = 20;

/** When this process last tried for a key, so that a write that hangs or fails is not tried again by every request. */
const triedMs = new Map<string, number>();

/** Notes that the key is used now, where the note is older than its promised precision. Never fails. */
export async function touchLastUsed(table: Table, key: ApiKeyHash): Promise<void> {
  const now = new Date();
  const lastTriedMs = triedMs.get(key.hash) ?? 0;
  if (!isLastUsedStale(key, now) || now.getTime() - lastTriedMs < lastUsedPrecisionMs) return;
  triedMs.set(key.hash, now.getTime());
  const write = recordLastUsed(table, key.hash, now).catch((error: Error) => {
    logger.warn("The last use of a key was not written.", { key_prefix: key.prefix, error });
  });
  const patience = new AbortController();
  await Promise.race([write, wait(patienceMs, undefined, { signal: patience.signal }).catch(() => undefined)]);
  patience.abort();
}
