import assert from "node:assert/strict";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, test } from "@jest/globals";
import { handler } from "../../../functions/consumers/newTable.ts";
import { isIndexed } from "../../../functions/data/table/indexes.ts";
import { keys } from "../../../functions/data/table/keys.ts";
import { openTable } from "../../../functions/data/table/table.ts";
import { putItem } from "../../../functions/data/table/writes.ts";
import { deleteItems } from "../../support/data/deleteItems.ts";
import { useTestTable } from "../../support/data/testTable.ts";

/** What CloudFormation received, and its status. */
let answers: { method: string | undefined; contentType: string | undefined; body: unknown }[] = [];
let status = 200;
const server = createServer(async (incoming, outgoing) => {
  const { method, headers } = incoming;
  answers.push({ method, contentType: headers["content-type"], body: JSON.parse(await text(incoming)) });
  outgoing.writeHead(status).end();
});
let responseUrl = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  responseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/answer`;
});
afterAll(() => void server.close());

beforeEach(async () => {
  await useTestTable();
  await deleteItems([{ ...keys.indexesComplete() }]);
  answers = [];
  status = 200;
});

const request = (RequestType: string) => ({
  RequestType,
  ResponseURL: responseUrl,
  StackId: "stack",
  RequestId: "request",
  LogicalResourceId: "NewTableMark",
  ResourceProperties: { TableName: "table" },
});

describe("the custom resource", () => {
  test("marks a table without items as complete, and answers CloudFormation", async () => {
    for (const type of ["Create", "Update"]) {
      await deleteItems([{ ...keys.indexesComplete() }]);
      await handler(request(type));
      assert.ok(await isIndexed(openTable()), type);
    }
    const body = {
      StackId: "stack",
      RequestId: "request",
      LogicalResourceId: "NewTableMark",
      Status: "SUCCESS",
      PhysicalResourceId: "NewTableMark",
    };
    assert.deepEqual(answers, Array(2).fill({ method: "PUT", contentType: "", body }));
  });

  test("never marks a table with items", async () => {
    await putItem(openTable(), { ...keys.event(1, 1) });
    for (const type of ["Create", "Update"]) await handler(request(type));
    assert.equal(await isIndexed(openTable()), false);
    assert.equal(answers.length, 2);
  });

  test("does nothing when it is deleted", async () => {
    await handler(request("Delete"));
    assert.equal(await isIndexed(openTable()), false);
    assert.equal(answers.length, 1);
  });

  test("fails, so that Lambda retries it, if CloudFormation does not take the answer", async () => {
    status = 503;
    await assert.rejects(handler(request("Create")), { message: "CloudFormation responded with 503." });
  });
});
