import assert from "node:assert/strict";
import { expect, test } from "@jest/globals";
import { tableDefinition } from "../../functions/data/table/definition.ts";
import { Stage } from "../../lib/settings.ts";
import { summaryOf } from "./support/summaryOf.ts";
import { type Json, only, resourcesOf, statementsById, synthesise, type Template } from "./support/synthesise.ts";

const stages = new Map(
  await Promise.all(Stage.options.map(async (stage) => [stage, await synthesise({ stage })] as const)),
);

/** The logical ids of the resources that contain data. A resource with a new id starts empty, so this list only grows. */
const statefulIds = [
  "DataTableFDBAD0F2",
  "BulkImportBucketA1D4D14B",
  "WebsiteBucket4326D7C2",
  "SignInPeople26B168CC",
  "SummariesFailedRecords62577B1E",
  "FeedDeadLetters1487E92F",
  "FeedQueueB01CC067",
  "BulkImportDeadLettersC6297B5E",
  "BulkImportImports50D034DB",
  "OutgoingEventsFailedRecords1F5B2ADD",
];

for (const [stage, { template, findings, isProtected }] of stages) {
  const isDisposable = stage === "dev";
  test(`${stage}: never changes the ids of the resources that contain data`, () => {
    const stateful = [
      "AWS::DynamoDB::GlobalTable",
      "AWS::S3::Bucket",
      "AWS::Cognito::UserPool",
      "AWS::SQS::Queue",
    ].flatMap((type) => resourcesOf(template, type));
    assert.deepEqual(
      stateful.map(([id]) => id),
      statefulIds,
    );
  });

  test(`${stage}: ${isDisposable ? "can be removed with its data" : "keeps its data when it is removed"}`, () => {
    const { DeletionPolicy, UpdateReplacePolicy, Properties } = only(template, "AWS::DynamoDB::GlobalTable");
    const policy = isDisposable ? "Delete" : "Retain";
    assert.deepEqual([DeletionPolicy, UpdateReplacePolicy], [policy, policy]);
    assert.equal(Properties.Replicas[0].DeletionProtectionEnabled, !isDisposable);
    assert.equal(isProtected, !isDisposable);
    for (const type of ["AWS::Logs::LogGroup", "AWS::S3::Bucket", "AWS::Cognito::UserPool"])
      for (const [id, { DeletionPolicy }] of resourcesOf(template, type)) assert.equal(DeletionPolicy, policy, id);
    assert.equal(resourcesOf(template, "Custom::S3AutoDeleteObjects").length, isDisposable ? 2 : 0);
  });

  test(`${stage}: has the declared table, on demand, recoverable to any second, with a stream`, () => {
    const { Properties } = only(template, "AWS::DynamoDB::GlobalTable");
    assert.deepEqual(Properties.KeySchema, keySchema(tableDefinition));
    assert.deepEqual(
      Properties.GlobalSecondaryIndexes,
      tableDefinition.indexes.map((index) => ({
        IndexName: index.indexName,
        KeySchema: keySchema(index),
        Projection: { ProjectionType: "ALL" },
      })),
    );
    assert.equal(Properties.BillingMode, "PAY_PER_REQUEST");
    assert.equal(Properties.Replicas[0].PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled, true);
    assert.deepEqual(Properties.StreamSpecification, { StreamViewType: "NEW_AND_OLD_IMAGES" });
    assert.deepEqual(Properties.TimeToLiveSpecification, { AttributeName: "expires_at", Enabled: true });
  });

  test(`${stage}: lets no role scan the table, and grants no wildcard actions, nor wildcard resources except for traces`, () => {
    for (const { Action, Resource } of allowed(template)) {
      const actions = [Action].flat();
      assert.ok(!actions.some((action) => /^\*|:\*$|dynamodb:.*(Scan|\*)/.test(action)), String(actions));
      if ([Resource].flat().includes("*"))
        assert.ok(
          actions.every((action) => action.startsWith("xray:Put")),
          String(actions),
        );
    }
  });

  test(`${stage}: keeps every log for 30 days, and every function logs into its declared group`, () => {
    for (const [id, { Properties }] of resourcesOf(template, "AWS::Logs::LogGroup")) {
      assert.equal(Properties.RetentionInDays, 30, id);
    }
    for (const [id, { Properties }] of resourcesOf(template, "AWS::Lambda::Function")) {
      assert.equal(template.Resources[Properties.LoggingConfig?.LogGroup.Ref]?.Type, "AWS::Logs::LogGroup", id);
    }
  });

  test(`${stage}: passes AWS Solutions checks`, () => {
    assert.deepEqual(findings, []);
  });

  test(`${stage}: stays well under the 500 resources that a stack may have`, () => {
    assert.ok(Object.keys(template.Resources).length < 400);
  });

  test(`${stage}: has no circle of dependencies, which CloudFormation would refuse`, () => {
    const waiting = new Map(
      Object.entries(template.Resources).map(([id, resource]) => [id, neededBy(resource, template)]),
    );
    for (let left = waiting.size; left > 0; left = waiting.size) {
      for (const [id, needed] of waiting) if (![...needed].some((other) => waiting.has(other))) waiting.delete(id);
      assert.notEqual(waiting.size, left, [...waiting.keys()].join(" "));
    }
  });

  test(`${stage}: has the outputs that operators need`, () => {
    for (const name of ["BaseUrl", "DocsUrl", "DeveloperAreaUrl", "TableName", "ApiId", "UserPoolId"])
      assert.ok(template.Outputs[name]?.Value, name);
  });
}

test("removing dev leaves only the account's role that every API's logs need", () => {
  const kept = Object.values(stages.get("dev")?.template.Resources ?? {}).filter(
    ({ DeletionPolicy }) => DeletionPolicy === "Retain",
  );
  assert.deepEqual(
    kept.map(({ Type }) => Type),
    ["AWS::IAM::Role", "AWS::ApiGateway::Account"],
  );
});

test("the same sources give the same template", async () => {
  assert.deepEqual((await synthesise({ stage: "prod" }, { isNew: true })).template, stages.get("prod")?.template);
});

test("the resources and their grants match the reviewed snapshot", () => {
  expect(summaryOf(stages.get("prod")?.template ?? assert.fail())).toMatchSnapshot();
});

/** The resources that a resource refers to. */
function neededBy(resource: Json, { Resources }: Template): Set<string> {
  const text = JSON.stringify(resource);
  const references = [...text.matchAll(/"Ref":"(\w+)"|"Fn::GetAtt":\["(\w+)"/g)].map(
    ([, ref, attribute]) => ref ?? attribute,
  );
  return new Set([...references, ...[resource.DependsOn ?? []].flat()].filter((id) => id in Resources));
}

function allowed(template: Template): Json[] {
  return statementsById(template)
    .flatMap(([, statements]) => statements)
    .filter(({ Effect }) => Effect === "Allow");
}

function keySchema(key: { partitionKey: string; sortKey: string }): Json {
  return [
    { AttributeName: key.partitionKey, KeyType: "HASH" },
    { AttributeName: key.sortKey, KeyType: "RANGE" },
  ];
}
