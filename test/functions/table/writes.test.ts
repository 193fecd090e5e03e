import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "@jest/globals";
import { useLocalTable } from "../../../common/localService.ts";
import { openTable } from "../../../functions/table/table.ts";
import { transactWrite } from "../../../functions/table/writes.ts";

/** A DynamoDB that cancels the next `conflicts` transactions for a conflict. */
async function conflicting() {
  const cancelled = {
    __type: "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
    Message: "Transaction cancelled [TransactionConflict]",
    CancellationReasons: [{ Code: "TransactionConflict", Message: "Transaction is ongoing for the item" }],
  };
  const server = createServer((_request, response) => {
    dynamoDb.calls += 1;
    const isConflict = dynamoDb.calls <= dynamoDb.conflicts;
    response.writeHead(isConflict ? 400 : 200, { "Content-Type": "application/x-amz-json-1.0" });
    response.end(JSON.stringify(isConflict ? cancelled : {}));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  const dynamoDb = { endpoint: `http://127.0.0.1:${port}`, calls: 0, conflicts: 0, close };
  return dynamoDb;
}

const write = [{ put: { PK: "a", SK: "b" } }];

test("a transaction that conflicts with another write is retried a limited number of times", async () => {
  const dynamoDb = await conflicting();
  useLocalTable(dynamoDb.endpoint, "ticketing");
  dynamoDb.conflicts = 2;
  await transactWrite(openTable(), write);
  assert.equal(dynamoDb.calls, 3);
  Object.assign(dynamoDb, { calls: 0, conflicts: 100 });
  await assert.rejects(transactWrite(openTable(), write), { code: "service_unavailable" });
  assert.equal(dynamoDb.calls, 6);
  dynamoDb.close();
});
