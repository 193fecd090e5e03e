import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import { isImport } from "../../functions/feed/importLimits.ts";
import { allFeatures } from "./support/allFeatures.ts";
import { functionIn, idIn, type Json, only, resourcesOf, synthesise } from "./support/synthesise.ts";

const { template } = await synthesise(allFeatures);
const mappings = resourcesOf(template, "AWS::Lambda::EventSourceMapping").map(([, { Properties }]) => Properties);
const ofStream = mappings.find(({ StartingPosition }) => StartingPosition);
const ofPipe = only(template, "AWS::Pipes::Pipe").Properties.SourceParameters.DynamoDBStreamParameters;
const asyncLimits = resourcesOf(template, "AWS::Lambda::EventInvokeConfig").map(([, { Properties }]) => Properties);
const subscription = only(template, "AWS::Logs::SubscriptionFilter").Properties;
const feedId = idIn(template.Outputs.FeedQueueUrl.Value);
const bucketId = idIn(template.Outputs.ImportBucketName.Value);

describe("a message or record that fails", () => {
  test("goes in the end to a queue that keeps it for 14 days and raises an alarm at its first message", () => {
    const queues = new Map(resourcesOf(template, "AWS::SQS::Queue"));
    const deadLetters = new Set<string>(
      [
        ...[...queues.values()].map(({ Properties }) => Properties.RedrivePolicy?.deadLetterTargetArn),
        ofStream.DestinationConfig.OnFailure.Destination,
        ofPipe.DeadLetterConfig.Arn,
        ...asyncLimits.map(({ DestinationConfig }) => DestinationConfig?.OnFailure.Destination),
      ].flatMap((arn) => (arn ? [idIn(arn)] : [])),
    );
    assert.equal(deadLetters.size, 5);
    for (const id of deadLetters) {
      assert.equal(queues.get(id).Properties.MessageRetentionPeriod, 14 * 24 * 60 * 60, id);
      const alarms = resourcesOf(template, "AWS::CloudWatch::Alarm")
        .map(([, { Properties }]) => Properties)
        .filter(({ Namespace, Dimensions }) => Namespace === "AWS/SQS" && idIn(Dimensions[0].Value) === id);
      assert.deepEqual(
        alarms.map(({ MetricName, Threshold, DatapointsToAlarm }) => [MetricName, Threshold, DatapointsToAlarm]),
        [["ApproximateNumberOfMessagesVisible", 0, 1]],
      );
    }
  });

  test("is not delivered to a second run of a function while the first still runs", () => {
    for (const { EventSourceArn, FunctionName } of mappings) {
      const queue = template.Resources[idIn(EventSourceArn)];
      if (queue.Type !== "AWS::SQS::Queue") continue;
      const { Timeout } = functionIn(template, FunctionName).properties;
      assert.ok(queue.Properties.VisibilityTimeout > Timeout, idIn(EventSourceArn));
    }
  });
});

test("a scheduled run that fails or cannot start within its period is dropped", () => {
  const schedules = resourcesOf(template, "AWS::Events::Rule").filter(
    ([, { Properties }]) => Properties.ScheduleExpression,
  );
  assert.equal(schedules.length, 2);
  for (const [id, { Properties }] of schedules) {
    const [, minutes] = /^rate\((\d+) minutes?\)$/.exec(Properties.ScheduleExpression) ?? [];
    const limits = { MaximumEventAgeInSeconds: 60 * Number(minutes), MaximumRetryAttempts: 0 };
    for (const { Arn, RetryPolicy } of Properties.Targets) {
      assert.deepEqual(RetryPolicy, limits, id);
      const alias = idIn(Arn);
      assert.equal(template.Resources[alias].Type, "AWS::Lambda::Alias", id);
      const ofAlias = asyncLimits.filter(({ Qualifier }) => JSON.stringify(Qualifier).includes(`"${alias}"`));
      assert.deepEqual(
        ofAlias.map(({ FunctionName: _function, Qualifier: _alias, ...own }) => own),
        [limits],
        id,
      );
    }
  }
});

test("usage is counted from the log of requests, to which its own function does not write", () => {
  const { id } = functionIn(template, subscription.DestinationArn);
  const logOf = (functionId: string) => template.Resources[functionId].Properties.LoggingConfig.LogGroup.Ref;
  const [authorizer = ""] = Object.keys(template.Resources).filter((one) =>
    /^ApiapiKeyAuthorizerFunction.{8}$/.test(one),
  );
  assert.equal(logOf(authorizer), idIn(subscription.LogGroupName));
  assert.notEqual(logOf(id), idIn(subscription.LogGroupName));
});

test("the queue of imports gets an event for each new file of records, and no others", () => {
  const [rule] = resourcesOf(template, "AWS::Events::Rule").flatMap(([, { Properties }]) =>
    Properties.EventPattern ? Properties : [],
  );
  assert.deepEqual(template.Resources[bucketId].Properties.NotificationConfiguration, {
    EventBridgeConfiguration: { EventBridgeEnabled: true },
  });
  const { detail, "detail-type": detailType } = rule.EventPattern;
  assert.deepEqual([detailType, detail.bucket.name], [["Object Created"], [{ Ref: bucketId }]]);
  const patterns: string[] = detail.object.key.map(({ wildcard }: Json) =>
    wildcard.replaceAll(".", "\\.").replaceAll("*", ".*"),
  );
  const matches = (key: string) => patterns.some((pattern) => new RegExp(`^${pattern}$`, "s").test(key));
  for (const name of ["a.ndjson", "a/b.ndjson.gz", ".ndjson"]) assert.ok(matches(`imports/${name}`), name);
  for (const key of ["imports/a/b.ndjson.gz", "reports/a.ndjson", "imports/a.json", "a.ndjson"])
    assert.equal(isImport(key), matches(key), key);
});

test("only the configured senders may send records, put files and read reports", async () => {
  const senders = allFeatures.feedSenders.split(" ");
  const allowed = (from: typeof template) =>
    [...resourcesOf(from, "AWS::SQS::QueuePolicy"), ...resourcesOf(from, "AWS::S3::BucketPolicy")]
      .filter(([id]) => /^(Feed|Import)/.test(id))
      .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)
      .filter(({ Effect, Principal }) => Effect === "Allow" && Principal.AWS)
      .map(({ Action, Principal, Resource }) => {
        for (const sender of senders) assert.ok(JSON.stringify(Principal.AWS).includes(sender), sender);
        assert.equal(Principal.AWS.length, senders.length);
        return [[Action].flat().join(), Resource["Fn::GetAtt"]?.[0] ?? Resource["Fn::Join"][1][1]];
      });
  assert.deepEqual(allowed(template), [
    ["sqs:GetQueueUrl,sqs:SendMessage", feedId],
    ["s3:PutObject", "/imports/*"],
    ["s3:GetObject", "/reports/*"],
  ]);
  assert.deepEqual(allowed((await synthesise({ stage: "prod" })).template), []);
});
