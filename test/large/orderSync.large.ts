import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { apiKeyRepository } from "../../functions/data/repositories/apiKeyRepository.ts";
import { openTable } from "../../functions/data/table/table.ts";
import { useLocalTable } from "../../local/dynamodb/localTable.ts";
import { syncOrders } from "../support/data/orderSync.ts";
import { someone } from "../support/data/someone.ts";
import { clientOf } from "../support/http/client.ts";
import { startChildService } from "../support/service/childService.ts";

test("a sync client misses none of 10,000 orders that several writers insert and change at the same time", async () => {
  const { description } = await startChildService();
  useLocalTable(description.dynamodb_endpoint, description.table_name);
  const organisationId = 7301;
  const table = openTable();
  const { key } = await apiKeyRepository(organisationId, table).create("Sync", [], someone);
  const client = clientOf(description.base_url, key);
  const { copy, truth } = await syncOrders({ table, client, organisationId, orders: 10_000 });
  assert.equal(truth.length, 10_000);
  assert.deepEqual(copy, truth);
});
