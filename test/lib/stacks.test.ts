import assert from "node:assert/strict";
import { expect, test } from "@jest/globals";
import { tableDefinition } from "../../functions/table/definition.ts";
import { Stage } from "../../lib/settings.ts";
import { cases } from "../support/jest/cases.ts";
import { nameOf, summaryOfAlarms } from "./support/summaryOfAlarms.ts";
import { type Json, only, resourcesOf, statementsById, synthesise, type Template } from "./support/synthesise.ts";

const stages = new Map(
  await Promise.all(Stage.options.map(async (stage) => [stage, await synthesise({ stage })] as const)),
);

/** The logical ids of the resources that contain data. A resource with a new id starts empty, so this list only grows. */
const statefulIds = [
  "DataTableFDBAD0F2",
  "ImportBucket64DA19A7",
  "PeoplePoolC64A4D1E",
  "FailedSummariesD438C6E7",
  "FailedEventsA83487DA",
  "FailedUsageF1E1F9BF",
  "WebhookWakeUps6CB09D62",
  "FeedDeadLetters1487E92F",
  "FeedQueueB01CC067",
  "ImportDeadLetters7EA6D402",
  "ImportImportsC51F5C8D",
  "WebhooksKey2AAB7A4F",
  "AlarmsKey3C2381B3",
];
const statefulTypes = ["AWS::DynamoDB::GlobalTable", "AWS::S3::Bucket", "AWS::Cognito::UserPool", "AWS::SQS::Queue"];

for (const [stage, { template, stacks, findings, isProtected }] of stages) {
  const isDisposable = stage === "dev";
  test(`${stage}: never changes the ids of the resources that contain data`, () => {
    // The signing secrets of webhooks follow from the key.
    const ids = [...statefulTypes, "AWS::KMS::Key"].flatMap((type) => resourcesOf(stacks.data, type)).map(([id]) => id);
    assert.deepEqual(ids, statefulIds);
  });

  test(`${stage}: ${isDisposable ? "can be removed with its data" : "keeps its data, and the logs, when it is removed"}`, () => {
    const [{ DeletionProtectionEnabled }] = only(stacks.data, "AWS::DynamoDB::GlobalTable").Properties.Replicas;
    assert.deepEqual(
      { stack: isProtected.data, table: DeletionProtectionEnabled },
      { stack: !isDisposable, table: !isDisposable },
      "whether each is protected",
    );
    const stateful = statefulTypes.flatMap((type) => resourcesOf(stacks.data, type));
    for (const [id, resource] of [...stateful, ...resourcesOf(stacks.api, "AWS::Logs::LogGroup")]) {
      assert.deepEqual(
        [resource.DeletionPolicy === "Delete", resource.UpdateReplacePolicy === "Delete"],
        [isDisposable, isDisposable],
        id,
      );
    }
  });

  test(`${stage}: the API stack contains no data, and CloudFormation may delete it`, () => {
    assert.ok(!isProtected.api, "The API stack is protected.");
    // The website's files come from the deployment.
    for (const [id, { Type, DeletionPolicy }] of statefulTypes.flatMap((type) => resourcesOf(stacks.api, type))) {
      assert.match(id, /^WebsiteBucket/);
      assert.deepEqual([Type, DeletionPolicy], ["AWS::S3::Bucket", "Delete"], id);
    }
  });

  test(`${stage}: a failed creation can be repeated, because nothing that it leaves behind has a fixed name`, () => {
    for (const [id, { Type, DeletionPolicy, Properties }] of Object.entries({
      ...stacks.data.Resources,
      ...stacks.api.Resources,
    })) {
      if (!isKept(DeletionPolicy)) continue;
      const names = Object.keys(Properties).filter((name) =>
        /^(Name|.*(Table|Bucket|Queue|Pool|Role)Name)$/.test(name),
      );
      assert.deepEqual(names, [], id);
      if (Type === "AWS::Logs::LogGroup" && Properties.LogGroupName !== undefined)
        // Contains the id of the API, which is new each time.
        assert.match(JSON.stringify(Properties.LogGroupName), /API-Gateway-Execution-Logs_.*"Ref":"ApiGateway/);
    }
  });

  test(`${stage}: a failed creation leaves behind only what is protected against deletion, besides the account's log role`, () => {
    const left = Object.entries({ ...stacks.data.Resources, ...stacks.api.Resources }).filter(
      ([, { DeletionPolicy }]) => DeletionPolicy === "Retain",
    );
    const ofAccount = ["AWS::IAM::Role", "AWS::ApiGateway::Account"];
    assert.deepEqual(
      left.map(([, { Type }]) => Type),
      [...(isDisposable ? [] : ["AWS::DynamoDB::GlobalTable", "AWS::Cognito::UserPool"]), ...ofAccount],
      left.map(([id]) => id).join(),
    );
  });

  test(`${stage}: passes values between its stacks without exports, which could not change while in use`, () => {
    for (const { Outputs } of [stacks.data, stacks.api])
      for (const [name, { Export }] of Object.entries(Outputs)) assert.equal(Export, undefined, name);
    const text = JSON.stringify(stacks.api);
    const calls = ["Fn::GetStackOutput", "Fn::ImportValue"].filter((call) => text.includes(call));
    assert.deepEqual(calls, ["Fn::GetStackOutput"]);
  });

  test(`${stage}: has the declared table, on demand, recoverable to any second, with a stream`, () => {
    const { Properties } = only(template, "AWS::DynamoDB::GlobalTable");
    const { AttributeDefinitions: _, Replicas, ...declared } = Properties;
    assert.deepEqual(declared, {
      KeySchema: keySchema(tableDefinition),
      GlobalSecondaryIndexes: tableDefinition.indexes.map((index) => ({
        IndexName: index.indexName,
        KeySchema: keySchema(index),
        Projection: { ProjectionType: "ALL" },
      })),
      BillingMode: "PAY_PER_REQUEST",
      StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" },
      TimeToLiveSpecification: { AttributeName: "expires_at", Enabled: true },
    });
    const { PointInTimeRecoverySpecification: recovery } = Replicas[0];
    assert.deepEqual(recovery, { PointInTimeRecoveryEnabled: true });
  });

  test(`${stage}: lets no role read the whole table, and grants no wildcard actions, nor wildcard resources except for traces`, () => {
    for (const [id, { Action, Resource, Condition }] of allowed(template)) {
      if (Condition?.StringEquals?.["dynamodb:Select"] === "COUNT") continue;
      for (const action of [Action].flat()) {
        assert.doesNotMatch(action, /^\*|:\*$|dynamodb:.*(Scan|\*)/, `${id} may ${action}`);
        if ([Resource].flat().includes("*")) assert.match(action, /^xray:Put/, `${id} may ${action} on *`);
      }
    }
  });

  test(`${stage}: keeps every log for 30 days, and every function logs into its declared group`, () => {
    for (const [id, { Properties }] of resourcesOf(template, "AWS::Logs::LogGroup")) {
      assert.equal(Properties.RetentionInDays, 30, id);
    }
    for (const [id, { Properties }] of resourcesOf(template, "AWS::Lambda::Function")) {
      assert.equal(template.Resources[Properties.LoggingConfig?.LogGroup.Ref]?.Type, "AWS::Logs::LogGroup", id);
      // Of the service's own functions, Lambda logs failures only; CDK's log text.
      if (Properties.LoggingConfig.LogFormat === "JSON")
        assert.equal(Properties.LoggingConfig.SystemLogLevel, "WARN", id);
    }
  });

  test(`${stage}: passes AWS Solutions checks`, () => {
    assert.deepEqual(findings, []);
  });

  if (cases<readonly string[]>(["prod"], Stage.options).includes(stage))
    test(`${stage}: has room for 25 more endpoints, of the 500 resources that a stack may have`, async () => {
      const withMore = (await synthesise({ stage, furtherEndpoints: 25 })).stacks;
      for (const name of ["data", "api"] as const) {
        const [now, then] = [stacks, withMore].map((all) => Object.keys(all[name].Resources).length);
        assert.ok(
          Number(then) <= 495,
          `The ${name} stack has ${now} resources, and ${then} with 25 more endpoints: at most 495.`,
        );
        // CloudFormation's limit for a template in S3.
        const bytes = JSON.stringify(withMore[name]).length;
        assert.ok(bytes < 1_000_000, `The ${name} stack's template would have ${bytes} bytes.`);
      }
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

  test(`${stage}: refers from the data stack to nothing in the API stack`, () => {
    const referring = Object.entries(stacks.data.Resources).filter(([, one]) =>
      JSON.stringify(one).includes("Fn::GetStackOutput"),
    );
    assert.deepEqual(
      referring.map(([id]) => id),
      [],
    );
  });

  test(`${stage}: has the outputs that operators need`, () => {
    for (const name of ["BaseUrl", "DocsUrl", "DeveloperAreaUrl", "TableName", "ApiId", "UserPoolId"])
      assert.ok(template.Outputs[name]?.Value, name);
  });
}

test("removing dev leaves only the account's role that every API's logs need", () => {
  const kept = Object.values(stages.get("dev")?.template.Resources ?? {}).filter(({ DeletionPolicy }) =>
    isKept(DeletionPolicy),
  );
  assert.deepEqual(
    kept.map(({ Type }) => Type),
    ["AWS::IAM::Role", "AWS::ApiGateway::Account"],
  );
});

const actionsOf = ({ Action }: Json): string[] => [Action].flat();
const { template: prod } = stages.get("prod") ?? assert.fail();

const asking = ["sqs:GetQueueAttributes", "sqs:GetQueueUrl"];
const receiving = [...asking, "sqs:ChangeMessageVisibility", "sqs:DeleteMessage", "sqs:ReceiveMessage"];
const streaming = ["DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"].map((name) => `dynamodb:${name}`);

/** The actions of each role that serves no request, besides writing its log. */
const tasks: Record<string, string[]> = {
  BulkImportbulkImportRole: ["s3:GetObject", "s3:ListBucket", "s3:PutObject", ...receiving, "sqs:SendMessage"],
  FeedfeedRole: [
    ...["dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"],
    ...[...receiving, "sqs:SendMessage"],
  ],
  OutgoingEventsRole: [...streaming, "events:PutEvents", "lambda:InvokeFunction", ...asking, "sqs:SendMessage"],
  OutgoingEventsoutgoingEventsRole: [],
  ProbeprobeRole: ["secretsmanager:GetSecretValue"],
  SummariessummariesRole: [
    ...["dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query", "dynamodb:UpdateItem"],
    ...[...streaming, ...asking, "sqs:SendMessage"],
  ],
  UsageusageRole: ["dynamodb:PutItem", "dynamodb:UpdateItem", ...asking, "sqs:SendMessage"],
  WebhookswebhooksRole: [
    ...["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query", "kms:GenerateMac"],
    ...[...receiving, "sqs:SendMessage"],
  ],
};

test("each role that serves no request may use only the actions that its task needs", () => {
  const used = statementsById(prod)
    .filter(([id]) => !/^(Api|Custom)/.test(id))
    .map(([id, statements]) => {
      const actions = new Set(statements.flatMap(actionsOf));
      return [nameOf(id), [...actions].filter((name) => !name.startsWith("logs:")).toSorted()];
    });
  const needed = Object.entries(tasks).map(([id, actions]) => [id, actions.toSorted()]);
  assert.deepEqual(Object.fromEntries(used), Object.fromEntries(needed));
});

test("keys, topics, queues and buckets let in only the services of AWS that need them", () => {
  const allowed = Object.entries(prod.Resources).flatMap(([id, { Type, Properties }]) =>
    [Properties.KeyPolicy, /Policy$/.test(Type) && Properties.PolicyDocument]
      .flatMap((policy) => policy?.Statement ?? [])
      .filter(({ Effect, Principal }) => Effect === "Allow" && Principal?.Service)
      .map((statement) => `${statement.Principal.Service}, ${nameOf(id)}: ${actionsOf(statement).join(", ")}`),
  );
  assert.deepEqual(allowed.toSorted(), [
    "cloudfront.amazonaws.com, WebsiteBucketPolicy: s3:GetObject",
    "cloudwatch.amazonaws.com, AlarmsKey: kms:Decrypt, kms:GenerateDataKey*",
    "cloudwatch.amazonaws.com, AlarmsTopicPolicy: sns:Publish",
    "events.amazonaws.com, ImportDeadLettersPolicy: sqs:SendMessage",
    "events.amazonaws.com, ImportImportsPolicy: sqs:GetQueueAttributes, sqs:GetQueueUrl, sqs:SendMessage",
  ]);
});

test("the alarms watch what the reviewed snapshot lists", () => {
  expect(summaryOfAlarms(prod)).toMatchSnapshot();
});

/** Whether CloudFormation keeps a resource when it deletes the stack. */
function isKept(deletionPolicy: string | undefined): boolean {
  return deletionPolicy === "Retain" || deletionPolicy === "RetainExceptOnCreate";
}

/** The resources that a resource refers to. */
function neededBy(resource: Json, { Resources }: Template): Set<string> {
  const text = JSON.stringify(resource);
  const references = [...text.matchAll(/"Ref":"(\w+)"|"Fn::GetAtt":\["(\w+)"/g)].map(
    ([, ref, attribute]) => ref ?? attribute,
  );
  return new Set([...references, ...[resource.DependsOn ?? []].flat()].filter((id) => id in Resources));
}

/** Each statement that allows something, with its resource's id. */
function allowed(template: Template): [string, Json][] {
  return statementsById(template).flatMap(([id, statements]) =>
    statements.filter(({ Effect }) => Effect === "Allow").map((statement): [string, Json] => [id, statement]),
  );
}

function keySchema(key: { partitionKey: string; sortKey: string }): Json {
  return [
    { AttributeName: key.partitionKey, KeyType: "HASH" },
    { AttributeName: key.sortKey, KeyType: "RANGE" },
  ];
}
