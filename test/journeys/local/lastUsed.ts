import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { findApiKeyHash, lastUsedPrecisionMs } from "../../../functions/keys/apiKeyHashes.ts";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { keys } from "../../../functions/table/keys.ts";
import { updateItem } from "../../../functions/table/writes.ts";
import { someone } from "../../support/data/records.ts";
import { clientOf } from "../../support/http/client.ts";
import { baseUrl, localTable } from "../../support/service/journeyService.ts";

/** The stored last use of a new key, last used this long ago or never, after some requests with it. */
async function lastUsedAfter(requests: number, agoMs: number | null, isUpdated = true) {
  const table = localTable();
  const { key, stored } = await apiKeyRepository(7200, table).create("Used", [], someone);
  const earlier = agoMs === null ? null : new Date(Date.now() - agoMs).toISOString();
  await updateItem(table, keys.apiKeyHash(stored.hash), { update: "SET last_used = :at", values: { ":at": earlier } });
  const since = new Date().toISOString();
  const client = clientOf(baseUrl, key);
  const answers = await Promise.all(Array.from({ length: requests }, () => client.get("/v1/key")));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  const until = new Date().toISOString();
  const read = async () => (await findApiKeyHash(table, stored.hash))?.last_used ?? null;
  let lastUsed = await read();
  // A request does not wait long for the write.
  while (isUpdated && lastUsed === earlier) lastUsed = await read();
  return { earlier, lastUsed, isOfNow: lastUsed !== null && since <= lastUsed && lastUsed <= until };
}

test("a key's last use is written at the first request, even with many at once", async () => {
  assert.ok((await lastUsedAfter(1, null)).isOfNow);
  assert.ok((await lastUsedAfter(50, null)).isOfNow);
});

test("a key's last use is updated when it is a minute old, and not before", async () => {
  assert.ok((await lastUsedAfter(1, lastUsedPrecisionMs)).isOfNow);
  const { earlier, lastUsed } = await lastUsedAfter(20, lastUsedPrecisionMs - 10_000, false);
  assert.equal(lastUsed, earlier);
});
