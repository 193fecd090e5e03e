import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { findApiKeyHash, recordLastUsed } from "../../../functions/keys/apiKeyHashes.ts";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { mintApiKey } from "../../../functions/keys/apiKeySecret.ts";
import { someone } from "../../support/data/records.ts";
import { assertProblem } from "../../support/http/assertProblem.ts";
import { clientOf } from "../../support/http/client.ts";
import { comparable } from "../../support/http/send.ts";
import { cases } from "../../support/jest/cases.ts";
import { baseUrl, localTable } from "../../support/service/journeyService.ts";

const clients = cases(10, 20);
/** Requests before and after the revocation. */
const enough = { earlier: cases(60, 1_000), later: cases(120, 2_000) };

test("every request after a key's revocation is refused", async () => {
  const keys = apiKeyRepository(7001, localTable());
  const { key, stored } = await keys.create("Busy", [], someone);
  const client = clientOf(baseUrl, key);
  const earlier: number[] = [];
  const later: number[] = [];
  let isRevoked = false;
  const loop = async (path: string, afterwards = async () => {}) => {
    while (later.length < enough.later) {
      const startedWhen = isRevoked ? later : earlier;
      startedWhen.push((await client.get(path)).status);
      await afterwards();
    }
  };
  const revokeWhenBusy = async () => {
    if (isRevoked || earlier.length < enough.earlier) return;
    await keys.revoke(stored.id, someone);
    isRevoked = true;
  };
  const loops = Array.from({ length: clients }, (_, index) => loop(index % 2 ? "/v1/key" : "/v1/events"));
  await Promise.all([...loops, loop("/v1/key", revokeWhenBusy)]);
  assert.deepEqual(new Set(later), new Set([401]));
  assert.deepEqual(new Set(earlier.slice(0, enough.earlier)), new Set([200]));
  assert.deepEqual(new Set(earlier), new Set([200, 401]));
});

test("a revoked key gets the same response as an unknown one", async () => {
  const keys = apiKeyRepository(7002, localTable());
  const { key, stored } = await keys.create("Revoked", [], someone);
  await keys.revoke(stored.id, someone);
  const [revoked, unknown] = await Promise.all(
    [key, mintApiKey().key].map((tried) => clientOf(baseUrl, tried).get("/v1/events")),
  );
  assert.ok(revoked && unknown);
  assertProblem(revoked, "unauthorized");
  assert.deepEqual(comparable(revoked), comparable(unknown));
});

test("a repeated or concurrent revocation changes nothing, and other keys stay active", async () => {
  const keys = apiKeyRepository(7003, localTable());
  const { stored } = await keys.create("Twice", [], someone);
  const other = await keys.create("Other", [], someone);
  const [first, second] = await Promise.all(
    ["one", "other"].map((name) => keys.revoke(stored.id, { name, subject: name })),
  );
  assert.deepEqual(first, second);
  assert.deepEqual(await keys.revoke(stored.id, someone), first);
  assert.equal(first?.status, "revoked");
  assert.equal((await clientOf(baseUrl, other.key).get("/v1/key")).status, 200);
});

test("a revoked key stays revoked when an earlier use is recorded late", async () => {
  const table = localTable();
  const keys = apiKeyRepository(7006, table);
  const { key, stored } = await keys.create("Late", [], someone);
  await keys.revoke(stored.id, someone);
  const before = await findApiKeyHash(table, stored.hash);
  await recordLastUsed(table, stored.hash, new Date());
  assert.deepEqual(await findApiKeyHash(table, stored.hash), before);
  assert.equal((await clientOf(baseUrl, key).get("/v1/key")).status, 401);
});

test("an organisation cannot revoke another's key", async () => {
  const { key, stored } = await apiKeyRepository(7004, localTable()).create("Theirs", [], someone);
  await assert.rejects(apiKeyRepository(7005, localTable()).revoke(stored.id, someone), { code: "not_found" });
  assert.equal((await clientOf(baseUrl, key).get("/v1/key")).status, 200);
});
