import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { apiKeyRepository } from "../../functions/data/apiKeyRepository.ts";
import { recordItem } from "../../functions/data/recordItem.ts";
import { upsertUnversioned } from "../../functions/data/recordRepository.ts";
import { openTable } from "../../functions/data/table.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import { useLocalTable } from "../../local/localTable.ts";
import { assertProblem } from "../support/assertProblem.ts";
import { type ChildService, startChildService } from "../support/childService.ts";
import { type Client, clientOf } from "../support/client.ts";
import { withId } from "../support/examples.ts";
import { type Call, type Fault, type FaultyProxy, faults, startFaultyProxy } from "../support/faultyProxy.ts";
import { dateRecord, eventRecord } from "../support/records.ts";
import { findSensitive } from "../support/sensitive.ts";

const eventId = 1;
let proxy: FaultyProxy;
let service: ChildService;
/** The faults that are on, each for the calls of one organisation. */
const active = new Map<(call: Call) => boolean, Fault>();

before(async () => {
  const dynamoDb = String(process.env.TEST_DYNAMODB_ENDPOINT);
  proxy = await startFaultyProxy(dynamoDb);
  proxy.faultOf = (call) => [...active].find(([isMeant]) => isMeant(call))?.[1];
  service = await startChildService("--dynamodb-endpoint", proxy.url);
  useLocalTable(dynamoDb, service.description.table_name);
});

let organisations = 9000;
const keys: string[] = [];

/** A new organisation with an event, and the calls to the table that are its authorizer's and its endpoints'. */
async function newOrganisation() {
  const id = ++organisations;
  const records = [eventRecord(id, eventId), dateRecord(id, eventId, 2)];
  await upsertUnversioned(openTable(), records.map(recordItem));
  const { key, stored } = await apiKeyRepository(id, openTable()).create("Faults", [], "test");
  keys.push(key);
  return {
    client: clientOf(service.description.base_url, key),
    isAuthorizers: ({ input }: Call) => input.includes(stored.hash),
    isEndpoints: ({ input }: Call) => input.includes(`ORG#${id}#`),
  };
}

type Expected = "success" | "service_unavailable";

/** Asks every endpoint at once. */
async function assertAnswers(client: Client, expected: (usesTable: boolean) => Expected) {
  await Promise.all(
    endpoints.map(async (endpoint) => {
      const answer = await client.get(withId(endpoint, eventId));
      if (expected(endpoint.table !== undefined) === "success") assert.equal(answer.status, 200, endpoint.operationId);
      else assertProblem(answer, "service_unavailable");
    }),
  );
}

test("a slow table is waited for", async () => {
  const { client, isAuthorizers, isEndpoints } = await newOrganisation();
  for (const isMeant of [isAuthorizers, isEndpoints]) {
    active.set(isMeant, (_outgoing, forward) => setTimeout(forward, 500));
  }
  await assertAnswers(client, () => "success");
});

describe("a table that is", { concurrency: 6 }, () => {
  for (const [name, fault] of Object.entries<Fault>(faults)) {
    test(`${name} is told as 503 with Retry-After, and all is well when it is over`, async () => {
      const { client, isAuthorizers, isEndpoints } = await newOrganisation();
      active.set(isEndpoints, fault);
      await assertAnswers(client, (usesTable) => (usesTable ? "service_unavailable" : "success"));
      active.set(isAuthorizers, fault);
      await assertAnswers(client, () => "service_unavailable");
      active.delete(isEndpoints);
      active.delete(isAuthorizers);
      await assertAnswers(client, () => "success");
    });
  }
});

test("a table that is not there is told as 503 with Retry-After, and all is well when it is back", async () => {
  const { client } = await newOrganisation();
  await assertAnswers(client, () => "success");
  await proxy.close();
  await assertAnswers(client, () => "service_unavailable");
  await proxy.open();
  await assertAnswers(client, () => "success");
});

test("a write of the last use that hangs holds no request, and is not begun again by any", async () => {
  const { client, isAuthorizers } = await newOrganisation();
  const isWrite = (call: Call) => call.action === "UpdateItem" && isAuthorizers(call);
  active.set(isWrite, faults.hanging);
  await Promise.all(Array.from({ length: 10 }, () => assertAnswers(client, () => "success")));
  // The write gives up after its third try. Had a request waited for that, there would be three.
  assert.ok(proxy.calls.filter(isWrite).length < 3);
});

test("what is logged of all this is no secret either", async () => {
  const log = await service.log();
  assert.match(log, /"level":"ERROR"/);
  assert.deepEqual(findSensitive(log, keys), []);
});
