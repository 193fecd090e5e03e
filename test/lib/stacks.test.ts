import assert from "node:assert/strict";
import { expect, test } from "@jest/globals";
import { Stage } from "../../lib/settings.ts";
import { allFeatures } from "./support/allFeatures.ts";
import { nameOf, summaryOf } from "./support/summary.ts";
import { type Json, only, resourcesOf, statementsById, synthesise, type Template } from "./support/synthesise.ts";

const stages = new Map(
  await Promise.all(Stage.options.map(async (stage) => [stage, await synthesise({ stage })] as const)),
);

/** The logical ids of the resources that contain data. A resource with a new id starts empty, so this list only grows. */
const statefulIds = [
  "DataTableFDBAD0F2",
  "ImportBucket64DA19A7",
  "PeoplePoolC64A4D1E",
  "FailedTableStream8989D79F",
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
  const all = Object.entries({ ...stacks.data.Resources, ...stacks.api.Resources });
  const stateful = (from: Template) => statefulTypes.flatMap((type) => resourcesOf(from, type));

  test(`${stage}: never changes the ids of the resources that contain data`, () => {
    // The signing secrets of webhooks follow from the key.
    const ids = [...stateful(stacks.data), ...resourcesOf(stacks.data, "AWS::KMS::Key")].map(([id]) => id);
    assert.deepEqual(ids, statefulIds);
  });

  test(`${stage}: ${isDisposable ? "can be removed with its data" : "keeps its data and logs when removed"}`, () => {
    const { Replicas } = only(stacks.data, "AWS::DynamoDB::GlobalTable").Properties;
    assert.deepEqual([isProtected.data, isProtected.api ?? false], [!isDisposable, false]);
    assert.equal(Replicas[0].DeletionProtectionEnabled, !isDisposable);
    for (const [id, resource] of [...stateful(stacks.data), ...resourcesOf(stacks.api, "AWS::Logs::LogGroup")])
      for (const policy of [resource.DeletionPolicy, resource.UpdateReplacePolicy])
        assert.equal(policy === "Delete", isDisposable, id);
    // The website's files come from the deployment.
    for (const [id, { DeletionPolicy }] of stateful(stacks.api))
      assert.deepEqual([/^WebsiteBucket/.test(id), DeletionPolicy], [true, "Delete"], id);
  });

  test(`${stage}: a failed creation leaves only protected resources, without fixed names`, () => {
    const ofAccount = ["AWS::IAM::Role", "AWS::ApiGateway::Account"];
    const left = all.filter(([, { DeletionPolicy }]) => DeletionPolicy === "Retain");
    assert.deepEqual(
      left.map(([, { Type }]) => Type),
      [...(isDisposable ? [] : ["AWS::DynamoDB::GlobalTable", "AWS::Cognito::UserPool"]), ...ofAccount],
    );
    for (const [id, { DeletionPolicy = "", Properties }] of all) {
      if (!DeletionPolicy.startsWith("Retain")) continue;
      const names = Object.entries(Properties).filter(([name]) =>
        /^(Name|.*(Table|Bucket|Queue|Pool|Role|Group)Name)$/.test(name),
      );
      // Contains the id of the API, which is new each time.
      const isNew = ([, name]: [string, Json]) => /Execution-Logs_.*"Ref":"ApiGateway/.test(JSON.stringify(name));
      assert.deepEqual(
        names.filter((name) => !isNew(name)),
        [],
        id,
      );
    }
  });

  test(`${stage}: passes values between its stacks without exports, and only from the data stack`, () => {
    for (const { Outputs } of [stacks.data, stacks.api])
      for (const [name, { Export }] of Object.entries(Outputs)) assert.equal(Export, undefined, name);
    assert.ok(JSON.stringify(stacks.api).includes("Fn::GetStackOutput"));
    assert.doesNotMatch(JSON.stringify(stacks.api), /Fn::ImportValue/);
    assert.doesNotMatch(JSON.stringify(stacks.data), /Fn::GetStackOutput/);
  });

  test(`${stage}: lets no role read the whole table, and grants wildcard resources only for traces`, () => {
    for (const [id, statements] of statementsById(template))
      for (const { Effect, Action, Resource } of statements)
        for (const action of Effect === "Allow" ? [Action].flat() : []) {
          assert.doesNotMatch(action, /^\*|:\*$|dynamodb:.*(Scan|\*)/, `${id} may ${action}`);
          if ([Resource].flat().includes("*")) assert.match(action, /^xray:Put/, `${id} may ${action} on *`);
        }
  });

  test(`${stage}: keeps every log for 30 days, and every function logs into its declared group`, () => {
    for (const [id, { Properties }] of resourcesOf(template, "AWS::Logs::LogGroup"))
      assert.equal(Properties.RetentionInDays, 30, id);
    for (const [id, { Properties }] of resourcesOf(template, "AWS::Lambda::Function"))
      assert.equal(template.Resources[Properties.LoggingConfig?.LogGroup.Ref]?.Type, "AWS::Logs::LogGroup", id);
  });

  test(`${stage}: passes AWS Solutions checks`, () => {
    assert.deepEqual(findings, []);
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
}

test("a stage with every feature is bound to its account and region, with the findings acknowledged", async () => {
  const place = { account: "123456789012", region: "eu-west-1" };
  const { template, stacks, findings } = await synthesise({ ...allFeatures, ...place });
  assert.deepEqual(findings, []);
  assert.match(JSON.stringify(stacks.data), /arn:aws:iam::123456789012:root/);
  assert.match(JSON.stringify(stacks.api), /arn:aws:lambda:eu-west-1:123456789012:function:/);
  const [{ Name }] = resourcesOf(template, "AWS::SecretsManager::Secret").flatMap(([id, { Properties }]) =>
    id.startsWith("ProbeKey") ? Properties : [],
  );
  // Secrets Manager keeps the name of a deleted secret, which must not block another creation.
  assert.match(JSON.stringify(Name), /"ticketing-prod-data-probe-key-".*"Ref":"AWS::StackId"/);
});

const actionsOf = ({ Action }: Json): string[] => [Action].flat();
const { template: prod } = await synthesise(allFeatures);

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
  TableStreamtableStreamRole: [
    ...["dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query", "dynamodb:UpdateItem"],
    ...[...streaming, ...asking, "sqs:SendMessage"],
  ],
  UsageusageRole: [
    ...["dynamodb:BatchGetItem", "dynamodb:DeleteItem", "dynamodb:PutItem", "dynamodb:UpdateItem"],
    ...[...asking, "sqs:SendMessage"],
  ],
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
    "events.amazonaws.com, BackupFailedPolicy: sqs:GetQueueAttributes, sqs:GetQueueUrl, sqs:SendMessage",
    "events.amazonaws.com, ImportDeadLettersPolicy: sqs:SendMessage",
    "events.amazonaws.com, ImportImportsPolicy: sqs:GetQueueAttributes, sqs:GetQueueUrl, sqs:SendMessage",
  ]);
});

test("alarms, consumers, sign-in, backups and the web ACL are as in the reviewed snapshot", () => {
  expect(summaryOf(prod)).toMatchSnapshot();
});

/** The resources that a resource refers to. */
function neededBy(resource: Json, { Resources }: Template): Set<string> {
  const text = JSON.stringify(resource);
  const references = [...text.matchAll(/"Ref":"(\w+)"|"Fn::GetAtt":\["(\w+)"/g)].map(
    ([, ref, attribute]) => ref ?? attribute,
  );
  return new Set([...references, ...[resource.DependsOn ?? []].flat()].filter((id) => id in Resources));
}
