import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { apiKeyRepository } from "../../functions/data/apiKeyRepository.ts";
import { recordItem } from "../../functions/data/recordItem.ts";
import { upsertUnversioned } from "../../functions/data/recordRepository.ts";
import { openTable } from "../../functions/data/table.ts";
import { createApiKey } from "../../functions/endpoints/createApiKey.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import { listApiKeyActivity } from "../../functions/endpoints/listApiKeyActivity.ts";
import { listApiKeys } from "../../functions/endpoints/listApiKeys.ts";
import { revokeApiKey } from "../../functions/endpoints/revokeApiKey.ts";
import { useLocalTable } from "../../local/localTable.ts";
import { assertProblem } from "../support/assertProblem.ts";
import { type ChildService, startChildService } from "../support/childService.ts";
import { type Client, clientOf } from "../support/client.ts";
import { dumpTable } from "../support/dumpTable.ts";
import { withId } from "../support/examples.ts";
import { type Call, type Fault, type FaultyProxy, faults, startFaultyProxy } from "../support/faultyProxy.ts";
import { dateRecord, eventRecord } from "../support/records.ts";
import { textOf } from "../support/send.ts";
import { findSensitive } from "../support/sensitive.ts";
import { someone } from "../support/someone.ts";
import { Visitor } from "../support/visitor.ts";

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
  const { key, stored } = await apiKeyRepository(id, openTable()).create("Faults", [], someone);
  keys.push(key);
  return {
    client: clientOf(service.description.base_url, key),
    isAuthorizers: ({ input }: Call) => input.includes(stored.hash),
    isEndpoints: ({ input }: Call) => input.includes(`ORG#${id}#`),
  };
}

type Expected = "success" | "service_unavailable";

const readEndpoints = endpoints.filter(({ caller }) => caller.scope === "read");

/** Asks every endpoint that reads for an API key, all at once. */
async function assertAnswers(client: Client, expected: (usesTable: boolean) => Expected) {
  await Promise.all(
    readEndpoints.map(async (endpoint) => {
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

describe("of key administration, a table that is", () => {
  const organisationId = 1842;
  const isAdministration = ({ input }: Call) => input.includes(`ORG#${organisationId}#APIKEY`);
  let admin: Client;

  before(async () => {
    const { base_url, issuer, people } = service.description;
    const person = people.find(({ organisation_id }) => organisation_id === organisationId) ?? assert.fail();
    const visitor = new Visitor({ issuer, clientId: "developer-area", returnTo: `${base_url}/developer` });
    admin = clientOf(base_url, (await visitor.tokensFor(person)).id_token);
  });

  for (const [name, fault] of Object.entries<Fault>(faults)) {
    test(`${name} is told as 503, and leaves no key half made and none half revoked`, { timeout: 60_000 }, async () => {
      const stored = JSON.parse(textOf(await admin.call(createApiKey, createApiKey.path)));
      const revoke = () => admin.call(revokeApiKey, withId(revokeApiKey, stored.id));
      active.set(isAdministration, fault);
      for (const answer of await Promise.all([
        admin.call(createApiKey, createApiKey.path),
        admin.get(listApiKeys.path),
        admin.get(listApiKeyActivity.path),
        revoke(),
      ])) {
        assertProblem(answer, "service_unavailable");
      }
      active.delete(isAdministration);
      assert.equal((await revoke()).status, 200);
      await assertWhole(organisationId);
    });
  }
});

/** Asserts that every key of an organisation is two items that agree, and that the audit trail tells of each change. */
async function assertWhole(organisationId: number): Promise<void> {
  const items = await dumpTable();
  const of = (name: string) => items.filter(({ PK }) => PK === `ORG#${organisationId}#${name}`);
  const hashes = items.filter((item) => item.SK === "KEYHASH" && item.organisation_id === organisationId);
  const stateOf = ({ id, status, scopes, hash }: Record<string, unknown>) =>
    JSON.stringify({ id, status, scopes, hash });
  assert.deepEqual(new Set(of("APIKEYS").map(stateOf)), new Set(hashes.map(stateOf)));
  const changes = of("APIKEYS").flatMap(({ id, status }) => [
    `created ${id}`,
    ...(status === "revoked" ? [`revoked ${id}`] : []),
  ]);
  assert.deepEqual(
    of("APIKEYACTIVITY")
      .map(({ action, key_id }) => `${action} ${key_id}`)
      .sort(),
    changes.sort(),
  );
}

test("what is logged of all this is no secret either", async () => {
  const log = await service.log();
  assert.match(log, /"level":"ERROR"/);
  assert.deepEqual(findSensitive(log, keys), []);
});
