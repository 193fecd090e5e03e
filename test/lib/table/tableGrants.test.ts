import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import { routes as endpoints } from "../../../functions/mcp/routes.ts";
import { resources } from "../../../functions/resources/index.ts";
import type { Resource } from "../../../functions/resources/resource.ts";
import { type ItemKey, itemKeys } from "../../../functions/table/itemKeys.ts";
import { declaredList, type List, partitions } from "../../../functions/table/lists.ts";
import { type Json, resourcesOf, statementsById, synthesise } from "../support/synthesise.ts";

const { template } = await synthesise({ stage: "prod" });

/** Every action that names items of the table or reads the whole table. */
const tableActions = [
  "BatchGetItem",
  "BatchWriteItem",
  "ConditionCheckItem",
  "DeleteItem",
  "GetItem",
  "PartiQLDelete",
  "PartiQLInsert",
  "PartiQLSelect",
  "PartiQLUpdate",
  "PutItem",
  "Query",
  "Scan",
  "UpdateItem",
];

const {
  access,
  apiKey,
  activity,
  apiKeyHash,
  organisationAudit,
  lastCounted,
  clock,
  keyUsage,
  keyFailure: _failure,
  equalFailures: _equal,
  countedBatch: _batch,
  webhook,
  webhookCount,
  webhookDelivery,
  ...ofOrganisation
} = itemKeys;
const secret = {
  access: access(1).PK,
  apiKey: apiKey(1, "2").PK,
  activity: activity(1, "2").PK,
  apiKeyHash: apiKeyHash("c0ffee").PK,
  organisationAudit: organisationAudit("2").PK,
};
const {
  apiKeys: _keys,
  activity: _activity,
  organisationAudit: _audit,
  keyUsage: _usage,
  keyFailures: _failures,
  allKeyFailures,
  webhooks: _webhooks,
  webhookDeliveries: _webhookDeliveries,
  dueWebhooks,
  eventSummary: _eventSummary,
  dateSummary: _dateSummary,
  ...indexLists
} = partitions;
const itemPartitions = Object.values(ofOrganisation).map((key) => (key as (...ids: unknown[]) => ItemKey)(1, 2).PK);
const listPartitions = [
  ...Object.values(indexLists).map((list) => (list as (organisationId: number, of: unknown) => List)(1, "2").partition),
  ...Object.values<Resource>(resources).flatMap((resource) =>
    Object.keys(resource.lists).map((name) => declaredList(resource, name, 1, "2").partition),
  ),
];

/** The functions' descriptions, by their roles. */
const names = new Map(
  resourcesOf(template, "AWS::Lambda::Function").map(([, { Properties }]): [string, string] => [
    Properties.Role["Fn::GetAtt"][0],
    Properties.Description,
  ]),
);
const authorizer = "Checks API keys";
const feed = "Stores the feed's records";
const tableStream = "Updates summaries and wakes webhooks from the table's stream";
const usage = "Counts the requests of each API key from the log";
const recording = "POST /v1/events/{id}/balance-payments";
const noting = "PATCH /v1/orders/{id}";
const nameOf = ({ method, path }: (typeof endpoints)[number]) => `${method} ${path}`;
const allFailures = "GET /admin/api-key-failures";
const administration = endpoints
  .filter((endpoint) => endpoint.path.startsWith("/admin/api-key") && nameOf(endpoint) !== allFailures)
  .map(nameOf)
  .toSorted();

/** The roles that may do any of the actions to an item or a list with this partition key, named by {@link names}. */
function rolesThatReach(partition: string, actions = tableActions): string[] {
  return statementsById(template)
    .filter(([, statements]) => actions.some((action) => isAllowed(statements, action, [partition])))
    .map(([id]) => names.get(id) ?? id)
    .toSorted();
}

/** Evaluates IAM statements for an action in one call with these leading keys, in any table or index. @param attributes those that it names. */
function isAllowed(statements: Json[], action: string, leadingKeys: string[], attributes: string[] = []): boolean {
  const call = { "dynamodb:LeadingKeys": leadingKeys, "dynamodb:Attributes": attributes };
  const relevant = statements.filter(({ Action }) => matches([Action].flat(), `dynamodb:${action}`));
  const met = relevant.filter(({ Condition = {} }) =>
    Object.entries(Condition).every((condition) => isMet(condition, call)),
  );
  return met.length > 0 && met.every(({ Effect }) => Effect === "Allow");
}

function isMet([operator, condition]: [string, Json], call: Record<string, string[]>): boolean {
  return Object.entries<Json>(condition).every(([name, value]) => {
    const values = call[name] ?? assert.fail(name);
    if (operator === "Null") return value === String(values.length === 0);
    assert.equal(operator, "ForAllValues:StringLike");
    return values.every((one) => matches([value].flat(), one));
  });
}

/** IAM's StringLike: an asterisk stands for any characters, also `#`. */
function matches(patterns: readonly string[], text: string): boolean {
  return patterns.some((pattern) => new RegExp(`^${pattern.replaceAll("*", ".*").replaceAll("?", ".")}$`).test(text));
}

describe("API keys", () => {
  test("are reached only by key administration, and their hashes also by the authorizer", () => {
    assert.deepEqual(rolesThatReach(secret.apiKey), administration);
    assert.deepEqual(rolesThatReach(secret.access), ["Delivers webhooks", ...administration].toSorted());
    const writers = rolesThatReach(secret.access, ["PutItem", "UpdateItem", "DeleteItem"]);
    assert.ok(!writers.includes("Delivers webhooks"));
    assert.deepEqual(rolesThatReach(secret.apiKeyHash), [authorizer, ...administration].toSorted());
  });

  test("have a usage that only key administration reads, and only the consumer of the log writes", () => {
    const { PK } = keyUsage(1, "2", "2026-11-22");
    assert.deepEqual(rolesThatReach(PK, ["GetItem", "Query"]), administration);
    assert.deepEqual(rolesThatReach(partitions.allKeyFailures(1).partition), [allFailures]);
    const writes = ["BatchWriteItem", "DeleteItem", "PartiQLDelete", "PartiQLInsert", "PartiQLUpdate"];
    assert.deepEqual(rolesThatReach(PK, [...writes, "PutItem", "UpdateItem"]), [usage]);
  });

  test("cannot be reached by a call that also names other data", () => {
    const [own = ""] = itemPartitions;
    for (const [id, statements] of statementsById(template)) {
      for (const partition of Object.values(secret)) {
        for (const action of tableActions)
          assert.ok(!isAllowed(statements, action, [own, partition]), `${id} ${action}`);
      }
    }
  });

  test("have an activity, with that of webhooks, that only administration reaches and no role can change", () => {
    assert.deepEqual(rolesThatReach(secret.activity), [...administration, ...webhookAdministration].toSorted());
    const changes = ["BatchWriteItem", "DeleteItem", "PartiQLDelete", "PartiQLUpdate", "UpdateItem"];
    assert.deepEqual(rolesThatReach(secret.activity, changes), []);
  });
});

const webhookAdministration = endpoints.filter(({ path }) => path.startsWith("/admin/webhook")).map(nameOf);

describe("webhooks", () => {
  const [delivery, tableStream] = ["Delivers webhooks", "Updates summaries and wakes webhooks from the table's stream"];

  test("are reached only by their administration, their delivery, and what wakes them", () => {
    assert.deepEqual(rolesThatReach(webhook(1, "2").PK), [...webhookAdministration, delivery, tableStream].toSorted());
    assert.ok(!rolesThatReach(webhook(1, "2").PK, ["UpdateItem", "DeleteItem"]).includes(tableStream));
    assert.deepEqual(rolesThatReach(webhookCount(1).PK), webhookAdministration.toSorted());
    assert.deepEqual(rolesThatReach(dueWebhooks("f").partition), [delivery]);
  });

  test("have attempts that only the delivery writes", () => {
    assert.deepEqual(rolesThatReach(webhookDelivery(1, "2", "3").PK, ["PutItem", "UpdateItem", "DeleteItem"]), [
      delivery,
    ]);
  });
});

test("the table's time is read by endpoints, and written by none", () => {
  const { PK } = clock();
  assert.ok(rolesThatReach(PK, ["GetItem"]).includes("GET /v1/changes"));
  const writes = ["BatchWriteItem", "DeleteItem", "PartiQLDelete", "PartiQLInsert", "PartiQLUpdate"];
  assert.deepEqual(rolesThatReach(PK, [...writes, "PutItem", "UpdateItem"]), []);
});

test("no role reaches the platform team's audit, or the table without naming a key", () => {
  assert.deepEqual(rolesThatReach(secret.organisationAudit), []);
  for (const [id, statements] of statementsById(template)) {
    for (const action of tableActions) assert.ok(!isAllowed(statements, action, []), `${id} ${action}`);
  }
});

const { balance, idempotency, ...shown } = ofOrganisation;

describe("all other keys are reached", () => {
  const iamActions: Record<string, string[]> = { ExecuteStatement: ["PartiQLSelect"] };
  const { eventSummary, dateSummary, ...ofRecords } = shown;
  const summaryPartitions = [eventSummary, dateSummary].map((key) => key(1, 2).PK);
  const recordPartitions = Object.values(ofRecords).map((key) => key(1, 2).PK);

  for (const endpoint of endpoints) {
    const { operationId, tableAccess, table = [] } = endpoint;
    if (tableAccess !== "organisationData" && tableAccess !== "assistants") continue;
    test(`by ${operationId}, with each action that it declares`, () => {
      for (const action of table.flatMap((name) => iamActions[name] ?? name)) {
        for (const partition of ["PartiQLSelect", "Query"].includes(action) ? listPartitions : recordPartitions) {
          assert.ok(rolesThatReach(partition, [action]).includes(nameOf(endpoint)), `${action} ${partition}`);
        }
      }
    });
  }

  test("by the endpoints of summaries and by assistants, which alone query a summary's rows", () => {
    const names = ["GET /v1/dates/{id}/summary", "GET /v1/events/{id}/summary", "POST /mcp"];
    for (const partition of summaryPartitions) assert.deepEqual(rolesThatReach(partition, ["Query"]), names);
    for (const { PK } of [shown.event(1, 2), shown.event_date(1, 2)])
      for (const name of names) assert.ok(rolesThatReach(PK, ["GetItem"]).includes(name), `${name} ${PK}`);
  });

  test("by what records balance payments and notes, to read what they follow from", () => {
    for (const { PK } of [shown.event(1, 2), balance(1, 2), idempotency(1, "2")])
      assert.ok(rolesThatReach(PK, ["BatchGetItem"]).includes(recording), PK);
    const { PK } = shown.order(1, 2);
    assert.ok(rolesThatReach(PK, ["GetItem"]).includes(noting));
    assert.ok(rolesThatReach(`${PK}#TICKETS`, ["Query"]).includes(noting));
  });

  test("by the consumers that count them", () => {
    const { balance_payment, order, ticket, payment, ticket_category } = shown;
    for (const key of [balance_payment, order, ticket, payment, ticket_category]) {
      const { PK } = lastCounted(key(1, 2).PK);
      for (const action of ["BatchGetItem", "PutItem"]) assert.ok(rolesThatReach(PK, [action]).includes(tableStream));
    }
  });
});

describe("an organisation's data is written", () => {
  const writesOf = (partition: string) =>
    tableActions
      .filter((action) => /Write|Put|Update|Delete|Insert/.test(action))
      .flatMap((action) => rolesThatReach(partition, [action]).map((role) => `${action}: ${role}`));

  test("only by the feed, summaries, and what records balance payments and notes", () => {
    const { balance_payment, eventSummary, dateSummary, order, ...records } = shown;
    const byFeed = [`PutItem: ${feed}`, `UpdateItem: ${feed}`];
    const byFeedAndCounts = [`PutItem: ${feed}`, `PutItem: ${tableStream}`, `UpdateItem: ${feed}`];
    const counted = new Set(["ticket", "payment", "ticket_category"]);
    for (const [type, key] of Object.entries(records))
      assert.deepEqual(writesOf(key(1, 2).PK), counted.has(type) ? byFeedAndCounts : byFeed, type);
    assert.deepEqual(writesOf(order(1, 2).PK), [...byFeedAndCounts.slice(0, 2), `UpdateItem: ${noting}`, byFeed[1]]);
    assert.deepEqual(writesOf(balance_payment(1, 2).PK), [
      `PutItem: ${recording}`,
      `PutItem: ${tableStream}`,
      `UpdateItem: ${recording}`,
      `UpdateItem: ${tableStream}`,
    ]);
    assert.deepEqual(writesOf(balance(1, 2).PK), [`PutItem: ${recording}`]);
    for (const key of [eventSummary, dateSummary])
      assert.deepEqual(writesOf(key(1, 2).PK), [`UpdateItem: ${tableStream}`]);
    const entries = writesOf(idempotency(1, "2").PK);
    assert.ok(entries.includes(`PutItem: ${recording}`) && !entries.includes(`UpdateItem: ${recording}`));
  });

  test("by an update of a note or a change time, only in the attributes that it names", () => {
    const changeTime = ["PK", "SK", "GSI3PK", "GSI3SK"];
    for (const [role, { PK }, named] of [
      [noting, shown.order(1, 2), [...changeTime, "api_note", "deleted", "revision"]],
      [recording, shown.balance_payment(1, 2), changeTime],
    ] as const) {
      const [statements = []] = statementsById(template).flatMap(([id, own]) => (names.get(id) === role ? [own] : []));
      const mayUpdate = (...attributes: string[]) => isAllowed(statements, "UpdateItem", [PK], attributes);
      assert.ok(mayUpdate(...named));
      for (const other of ["status", "amount", "note", "balance_after", "email", "GSI1PK", "expires_at"])
        assert.ok(!mayUpdate("PK", "SK", other), other);
    }
  });
});

test("the policies of each role fit into IAM's limit", () => {
  // From "IAM and AWS STS character limits" in the IAM user guide; white space does not count.
  for (const [id, statements] of statementsById(template)) {
    assert.ok(JSON.stringify(statements).length <= 10_240, id);
  }
});
