import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "@jest/globals";
import { createApiKey } from "../../functions/endpoints/createApiKey.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import { listApiKeyActivity } from "../../functions/endpoints/listApiKeyActivity.ts";
import { listApiKeys } from "../../functions/endpoints/listApiKeys.ts";
import { revokeApiKey } from "../../functions/endpoints/revokeApiKey.ts";
import { apiKeyRepository } from "../../functions/keys/apiKeyRepository.ts";
import { recordItem } from "../../functions/records/recordItem.ts";
import { upsertRecord } from "../../functions/records/upsertRecord.ts";
import { Scope } from "../../functions/resources/scope.ts";
import { openTable } from "../../functions/table/table.ts";
import { useLocalTable } from "../../local/localService.ts";
import { type LocalDynamoDb, startDynamoDbLocal } from "../../packages/local-aws/dynamodb/startDynamoDbLocal.ts";
import { type Call, type Fault, type FaultyProxy, faults, startFaultyProxy } from "../support/data/faultyProxy.ts";
import {
  attendeeRecord,
  dateRecord,
  discountRecord,
  eventRecord,
  orderRecord,
  paymentRecord,
  someone,
  ticketRecord,
} from "../support/data/records.ts";
import { dumpTable } from "../support/data/table.ts";
import { assertProblem, findSensitive } from "../support/http/assertProblem.ts";
import { type Client, clientOf } from "../support/http/client.ts";
import { pathOf, withId } from "../support/http/examples.ts";
import { textOf } from "../support/http/send.ts";
import { Visitor } from "../support/http/visitor.ts";
import { cases } from "../support/jest/cases.ts";
import { type ChildService, startChildService } from "../support/service/childService.ts";

/** Every organisation has one resource of each type, with this id. */
const id = 1;
let dynamoDb: LocalDynamoDb;
let proxy: FaultyProxy;
let service: ChildService;
/** The active faults, each for the calls of one organisation. */
const active = new Map<(call: Call) => boolean, Fault>();

beforeAll(async () => {
  // The service's table has a stream and much data. In the database of all tests, it would make later tests several times slower.
  dynamoDb = await startDynamoDbLocal();
  proxy = await startFaultyProxy(dynamoDb.endpoint);
  proxy.faultOf = (call) => [...active].find(([isMeant]) => isMeant(call))?.[1];
  // Twice the limit of a deployed function, for a busy machine, and still shorter than the faults.
  process.env.DYNAMODB_TIMEOUT_MS = "2000";
  service = await startChildService(["--dynamodb-endpoint", proxy.url]);
  useLocalTable(dynamoDb.endpoint, service.description.table_name);
  // This process's own calls read the whole table without faults and may take longer.
  process.env.DYNAMODB_TIMEOUT_MS = "30000";
});
afterAll(async () => {
  service?.stop();
  await dynamoDb?.stop();
});

let organisations = 9000;
const keys: string[] = [];

/** A new organisation with one resource of each type, and predicates for the table calls of its authorizer and its endpoints. */
async function newOrganisation() {
  const organisationId = ++organisations;
  const parents = { event_id: id, date_id: id, order_id: id };
  const records = [
    eventRecord(organisationId, id),
    dateRecord(organisationId, id, id),
    orderRecord(organisationId, id, { date_id: id }),
    ticketRecord(organisationId, id, parents),
    paymentRecord(organisationId, id, parents),
    discountRecord(organisationId, id),
    attendeeRecord(organisationId, id, parents),
  ];
  for (const record of records) await upsertRecord(openTable(), recordItem(record));
  const { key, stored } = await apiKeyRepository(organisationId, openTable()).create("Faults", Scope.options, someone);
  keys.push(key);
  return {
    client: clientOf(service.description.base_url, key),
    isAuthorizers: ({ input }: Call) => input.includes(stored.hash),
    isEndpoints: ({ input }: Call) => input.includes(`ORG#${organisationId}#`),
  };
}

type Expected = "success" | "service_unavailable";

const ofKeys = endpoints.filter(({ caller }) => caller.scheme === "apiKey");

/** Calls endpoints that take an API key concurrently; by default all. */
async function assertAnswers(client: Client, expected: (usesTable: boolean) => Expected, called = ofKeys) {
  await Promise.all(
    called.map(async (endpoint) => {
      const answer = await client.call(endpoint, pathOf(endpoint, id));
      if (expected(endpoint.table !== undefined) === "success")
        assert.equal(answer.status, endpoint.status ?? 200, endpoint.operationId);
      else assertProblem(answer, "service_unavailable");
    }),
  );
}

test("a slow table delays responses without failing them", async () => {
  const { client, isAuthorizers, isEndpoints } = await newOrganisation();
  for (const isMeant of [isAuthorizers, isEndpoints]) {
    active.set(isMeant, (_outgoing, forward) => setTimeout(forward, 500));
  }
  // Few at once, because a busy machine would delay the calls further.
  for (let start = 0; start < ofKeys.length; start += 6)
    await assertAnswers(client, () => "success", ofKeys.slice(start, start + 6));
});

describe("a table that is", () => {
  for (const [index, [name, fault]] of Object.entries<Fault>(faults).entries()) {
    test(`${name} returns 503 with Retry-After, and requests succeed again when the fault ends`, async () => {
      const { client, isAuthorizers, isEndpoints } = await newOrganisation();
      const called = ofKeys.filter((_, at) => cases(at % 4 === index % 4, true));
      active.set(isEndpoints, fault);
      await assertAnswers(client, (usesTable) => (usesTable ? "service_unavailable" : "success"), called);
      active.set(isAuthorizers, fault);
      await assertAnswers(client, () => "service_unavailable", called);
      active.delete(isEndpoints);
      active.delete(isAuthorizers);
      await assertAnswers(client, () => "success", called);
    });
  }
});

test("an unreachable table returns 503 with Retry-After, and requests succeed again when it is back", async () => {
  const { client } = await newOrganisation();
  await assertAnswers(client, () => "success");
  await proxy.close();
  await assertAnswers(client, () => "service_unavailable");
  await proxy.open();
  await assertAnswers(client, () => "success");
});

describe("for key administration, a table that is", () => {
  const organisationId = 1842;
  const isAdministration = ({ input }: Call) =>
    ["APIKEY", "ACTIVITY"].some((type) => input.includes(`ORG#${organisationId}#${type}`));
  let admin: Client;

  beforeAll(async () => {
    const { base_url, issuer, people } = service.description;
    const person = people.find(({ organisation_id }) => organisation_id === organisationId) ?? assert.fail();
    const visitor = new Visitor({ issuer, clientId: "developer-area", returnTo: `${base_url}/developer` });
    admin = clientOf(base_url, (await visitor.tokensFor(person)).id_token);
  });

  for (const [name, fault] of Object.entries<Fault>(faults)) {
    test(`${name} returns 503 and leaves no key half created or half revoked`, async () => {
      const stored = JSON.parse(textOf(await admin.call(createApiKey, createApiKey.path)));
      const revoke = () => admin.call(revokeApiKey, withId(revokeApiKey, stored.id));
      active.set(isAdministration, fault);
      for (const answer of await Promise.all([
        // Without a key, it gets 500.
        admin.call(createApiKey, createApiKey.path, { headers: { "Idempotency-Key": name } }),
        admin.get(listApiKeys.path),
        admin.get(listApiKeyActivity.path),
        revoke(),
      ])) {
        assertProblem(answer, "service_unavailable");
      }
      active.delete(isAdministration);
      assert.equal((await revoke()).status, 200);
      // A slow write may arrive while the table is read; it has arrived by the second read.
      await assertWhole(organisationId).catch(() => assertWhole(organisationId));
    });
  }
});

/** Asserts that every key of an organisation consists of two items that agree, and that the activity log has each change. */
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
    of("ACTIVITY")
      .filter(({ kind }) => kind === "api_key")
      .map(({ action, key_id }) => `${action} ${key_id}`)
      .sort(),
    changes.sort(),
  );
}

test("the log of all these failures contains no secrets", async () => {
  const log = await service.log();
  assert.match(log, /"level":"ERROR"/);
  assert.deepEqual(findSensitive(log, keys), []);
});
