import assert from "node:assert/strict";
import { test } from "node:test";
import { apiKeyRepository } from "../../../functions/data/repositories/apiKeyRepository.ts";
import { clientOf } from "../../support/client.ts";
import { baseUrl, localTable } from "../../support/journeyService.ts";
import { syncOrders } from "../../support/orderSync.ts";
import { someone } from "../../support/someone.ts";

test("a sync client that follows the recipe misses no change of orders that several writers insert and change meanwhile", async () => {
  const organisationId = 7300;
  const table = localTable();
  const { key } = await apiKeyRepository(organisationId, table).create("Sync", [], someone);
  const { copy, truth } = await syncOrders({ table, client: clientOf(baseUrl, key), organisationId, orders: 600 });
  assert.equal(truth.length, 600);
  assert.deepEqual(copy, truth);
});
