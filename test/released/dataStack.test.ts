import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { type Json, synthesise, type Template } from "../lib/support/synthesise.ts";
import { type ReleasedStack, releasedStack } from "./dataStack.ts";

/** The data stack of the latest released version. */
const released: ReleasedStack = JSON.parse(readFileSync("test/released/dataStack.json", "utf8"));
const { data } = (await synthesise({ stage: "prod" })).stacks;

/** Properties whose change makes CloudFormation replace the resource, by their "Update requires" in the CloudFormation reference. */
const fixed: Record<string, readonly string[]> = {
  "AWS::DynamoDB::GlobalTable": ["TableName", "KeySchema"],
  "AWS::Cognito::UserPool": ["AliasAttributes", "UsernameAttributes", "UsernameConfiguration"],
  "AWS::Cognito::UserPoolDomain": ["Domain"],
  "AWS::Cognito::UserPoolGroup": ["GroupName"],
  "AWS::S3::Bucket": ["BucketName"],
  "AWS::SQS::Queue": ["QueueName", "FifoQueue"],
  "AWS::Events::EventBus": ["Name"],
};

/** The changes that CloudFormation cannot make or roll back in an update from one data stack to another. */
function problemsOf(before: ReleasedStack, after: ReleasedStack): string[] {
  const problems = before.outputs
    .filter((name) => !after.outputs.includes(name))
    .map((name) => `The output ${name} is missing, which an earlier API stack reads after a rollback.`);
  for (const [id, { Type, Properties }] of Object.entries(before.resources)) {
    const now = after.resources[id];
    if (now?.Type !== Type) problems.push(`${id} is missing, and its data with it.`);
    else
      for (const name of fixed[Type] ?? [])
        if (JSON.stringify(now.Properties[name]) !== JSON.stringify(Properties[name]))
          problems.push(`${id}.${name} cannot change without another, empty resource.`);
  }
  const indexes = difference(before, after, "AWS::DynamoDB::GlobalTable", "GlobalSecondaryIndexes", "IndexName");
  const attributes = difference(before, after, "AWS::Cognito::UserPool", "Schema", "Name");
  for (const name of indexes.changed) problems.push(`The index ${name} is changed or missing.`);
  for (const name of attributes.changed) problems.push(`The attribute ${name} is changed or missing.`);
  if (indexes.added.length > 1) problems.push(`More than one index is new: ${indexes.added.join(", ")}.`);
  if (indexes.added.length > 0 && attributes.added.length > 0)
    problems.push("An index and an attribute are new. If the index failed, the attribute could not be removed.");
  return problems;
}

/** The members of a list in a resource that are new, and those that are not as before. */
function difference(before: ReleasedStack, after: ReleasedStack, type: string, list: string, nameOf: string) {
  const members = (stack: ReleasedStack): Map<string, string> =>
    new Map(
      Object.values(stack.resources)
        .filter(({ Type }) => Type === type)
        .flatMap(({ Properties }) => Properties[list] ?? [])
        .map((member: Json) => [member[nameOf], JSON.stringify(member)]),
    );
  const [old, now] = [members(before), members(after)];
  return {
    added: [...now.keys()].filter((name) => !old.has(name)),
    changed: [...old].filter(([name, text]) => now.get(name) !== text).map(([name]) => name),
  };
}

test("an update from the latest released data stack to this one can be carried out, and rolled back", () => {
  assert.match(released.version, /^\d+\.\d+\.\d+$/);
  assert.ok(Object.keys(released.resources).length > 8);
  expect(problemsOf(released, releasedStack(data, "next"))).toEqual([]);
});

const idOf = (type: string) => Object.entries(data.Resources).find(([, { Type }]) => Type === type)?.[0] ?? "";
const [table, pool, queue] = ["AWS::DynamoDB::GlobalTable", "AWS::Cognito::UserPool", "AWS::SQS::Queue"].map(idOf);
const index = (IndexName: string) => ({ IndexName, KeySchema: [], Projection: {} });
const propertiesOf = (template: Template, id = "") => template.Resources[id].Properties;
const changes: Record<string, [(template: Template) => void, RegExp[]]> = {
  "removes the table or gives it another id": [
    ({ Resources }) => delete Resources[table ?? ""],
    [/is missing, and/, /GSI1/, /GSI2/, /GSI3/, /GSI4/, /GSI5/],
  ],
  "changes the table's key": [(template) => propertiesOf(template, table).KeySchema.pop(), [/KeySchema cannot change/]],
  "changes an index": [
    (template) => propertiesOf(template, table).GlobalSecondaryIndexes[0].KeySchema.pop(),
    [/The index GSI1 is changed/],
  ],
  "adds two indexes": [
    (template) => propertiesOf(template, table).GlobalSecondaryIndexes.push(index("GSI6"), index("GSI7")),
    [/More than one index is new: GSI6, GSI7/],
  ],
  "removes an attribute of the user pool": [
    (template) => propertiesOf(template, pool).Schema.pop(),
    [/The attribute \w+ is changed or missing/],
  ],
  "adds an attribute and an index": [
    (template) => {
      propertiesOf(template, pool).Schema.push({ Name: "team" });
      propertiesOf(template, table).GlobalSecondaryIndexes.push(index("GSI6"));
    },
    [/the attribute could not be removed/],
  ],
  "names a queue": [
    (template) => Object.assign(propertiesOf(template, queue), { QueueName: "ticketing" }),
    [/QueueName cannot change/],
  ],
  "removes an output": [({ Outputs }) => delete Outputs.TableName, [/The output TableName is missing/]],
};

describe("an update is rejected that", () => {
  for (const [what, [change, expected]] of Object.entries(changes)) {
    test(what, () => {
      const changed = structuredClone(data);
      change(changed);
      const problems = problemsOf(releasedStack(data, "1.0.0"), releasedStack(changed, "2.0.0"));
      assert.equal(problems.length, expected.length);
      for (const [position, pattern] of expected.entries()) assert.match(problems[position] ?? "", pattern);
    });
  }

  test("but not one that adds one index, or attributes, or resources", () => {
    for (const change of [
      (template: Template) => propertiesOf(template, table).GlobalSecondaryIndexes.push(index("GSI6")),
      (template: Template) => propertiesOf(template, pool).Schema.push({ Name: "team" }, { Name: "role" }),
      ({ Resources }: Template) => Object.assign(Resources, { New: { Type: "AWS::SQS::Queue", Properties: {} } }),
    ]) {
      const changed = structuredClone(data);
      change(changed);
      assert.deepEqual(problemsOf(releasedStack(data, "1.0.0"), releasedStack(changed, "2.0.0")), []);
    }
  });
});
