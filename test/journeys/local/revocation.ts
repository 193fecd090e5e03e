import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { someone } from "../../support/data/records.ts";
import { clientOf } from "../../support/http/client.ts";
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
