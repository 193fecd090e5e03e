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

/** Evaluates IAM statements for an action in one call with these leading keys, in any table or index. */
function isAllowed(statements: Json[], action: string, leadingKeys: string[]): boolean {
  const relevant = statements.filter(({ Action }) => matches([Action].flat(), `dynamodb:${action}`));
  const met = relevant.filter(({ Condition = {} }) =>
    Object.entries(Condition).every((condition) => isMet(condition, leadingKeys)),
  );
  return met.length > 0 && met.every(({ Effect }) => Effect === "Allow");
}

function isMet([operator, condition]: [string, Json], leadingKeys: string[]): boolean {
  assert.deepEqual(Object.keys(condition), ["dynamodb:LeadingKeys"]);
  const value = condition["dynamodb:LeadingKeys"];
  if (operator === "Null") return value === String(leadingKeys.length === 0);
  assert.equal(operator, "ForAllValues:StringLike");
  return leadingKeys.every((key) => matches([value].flat(), key));
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

describe("all other keys are reached", () => {
  const iamActions: Record<string, string[]> = {
    ExecuteStatement: ["PartiQLSelect"],
    TransactWriteItems: ["PutItem", "UpdateItem"],
  };

  for (const endpoint of endpoints) {
    const { operationId, caller, table = [] } = endpoint;
    if (caller.scheme !== "apiKey" || table.length === 0) continue;
    test(`by ${operationId}, with each action that it declares`, () => {
      for (const action of table.flatMap((name) => iamActions[name] ?? name)) {
        for (const partition of ["PartiQLSelect", "Query"].includes(action) ? listPartitions : itemPartitions) {
          assert.ok(rolesThatReach(partition, [action]).includes(nameOf(endpoint)), `${action} ${partition}`);
        }
      }
    });
  }

  test("by the consumers that write them", () => {
    const { balance_payment, balance, idempotency, eventSummary, dateSummary, ...records } = ofOrganisation;
    for (const key of Object.values(records)) {
      for (const action of ["PutItem", "UpdateItem"]) {
        assert.ok(rolesThatReach(key(1, 2).PK, [action]).includes(feed), `${action} ${key(1, 2).PK}`);
      }
    }
    for (const key of [balance_payment, records.order, records.ticket, records.payment, records.ticket_category]) {
      const { PK } = lastCounted(key(1, 2).PK);
      for (const action of ["BatchGetItem", "PutItem"]) assert.ok(rolesThatReach(PK, [action]).includes(tableStream));
    }
    for (const key of [eventSummary, dateSummary]) {
      const writers = rolesThatReach(key(1, 2).PK, ["UpdateItem"]);
      assert.ok(writers.includes(tableStream));
      assert.ok(!writers.includes(feed));
    }
  });
});

test("the policies of each role fit into IAM's limit", () => {
  // From "IAM and AWS STS character limits" in the IAM user guide; white space does not count.
  for (const [id, statements] of statementsById(template)) {
    assert.ok(JSON.stringify(statements).length <= 10_240, id);
  }
});
