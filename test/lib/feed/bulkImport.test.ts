import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "@jest/globals";
import {
  consumerTimeoutMs,
  isImport,
  maximumTries,
  visibilityTimeoutMs,
} from "../../../functions/feed/importLimits.ts";
import { assertDeadLetters, assertTlsOnly } from "../support/deadLetters.ts";
import { functionIn, idIn, type Json, resourcesOf, statementsOf, synthesise } from "../support/synthesise.ts";

const sender = "arn:aws:iam::444455556666:role/core-system";
const { template, entryPoints, findings } = await synthesise({ stage: "prod", feedSenders: sender });
const bucketId = idIn(template.Outputs.ImportBucketName.Value);
const bucket = template.Resources[bucketId];
const feedId = idIn(template.Outputs.FeedQueueUrl.Value);
const [{ Properties: rule } = { Properties: {} }] = resourcesOf(template, "AWS::Events::Rule").flatMap(([, one]) =>
  one.Properties.EventPattern ? one : [],
);
const importsId = idIn(rule.Targets[0].Arn);
const imports = template.Resources[importsId].Properties;
const mapping = resourcesOf(template, "AWS::Lambda::EventSourceMapping")
  .map(([, { Properties }]) => Properties)
  .find(({ EventSourceArn }) => idIn(EventSourceArn) === importsId);
const splitter = functionIn(template, mapping.FunctionName).properties;

test("the bucket is private and encrypted, owns its objects, and keeps files for 30 days and reports for a year", () => {
  const { Properties } = bucket;
  assert.deepEqual(new Set(Object.values(Properties.PublicAccessBlockConfiguration)), new Set([true]));
  assert.ok(Properties.BucketEncryption);
  assert.deepEqual(Properties.OwnershipControls.Rules, [{ ObjectOwnership: "BucketOwnerEnforced" }]);
  assert.deepEqual(Properties.LifecycleConfiguration.Rules, [
    {
      Prefix: "imports/",
      ExpirationInDays: 30,
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
      Status: "Enabled",
    },
    { Prefix: "reports/", ExpirationInDays: 365, Status: "Enabled" },
  ]);
  assert.equal(bucket.DeletionPolicy, "RetainExceptOnCreate");
  assert.deepEqual(findings, []);
});

test("the bucket's policy lets only the configured senders put files and read reports", () => {
  const [policy] = resourcesOf(template, "AWS::S3::BucketPolicy").filter(
    ([, { Properties }]) => idIn(Properties.Bucket) === bucketId,
  );
  const statements = policy?.[1].Properties.PolicyDocument.Statement;
  const allowed = statements.filter(({ Effect }: Json) => Effect === "Allow");
  assert.deepEqual(
    allowed.map(({ Action, Principal, Resource }: Json) => [Action, Principal.AWS, Resource["Fn::Join"][1][1]]),
    [
      ["s3:PutObject", sender, "/imports/*"],
      ["s3:GetObject", sender, "/reports/*"],
    ],
  );
  assert.ok(
    statements.some(
      ({ Effect, Condition }: Json) => Effect === "Deny" && Condition.Bool["aws:SecureTransport"] === "false",
    ),
  );
});

test("the queue of imports gets an event for each new file of records, and no others", () => {
  assert.deepEqual(bucket.Properties.NotificationConfiguration, {
    EventBridgeConfiguration: { EventBridgeEnabled: true },
  });
  const { source, detail, "detail-type": detailType } = rule.EventPattern;
  assert.deepEqual([source, detailType], [["aws.s3"], ["Object Created"]]);
  assert.deepEqual(detail.bucket.name, [{ Ref: bucketId }]);
  const patterns: string[] = detail.object.key.map(({ wildcard }: Json) => wildcard);
  assert.deepEqual(patterns, ["imports/*.ndjson", "imports/*.ndjson.gz"]);
  const matches = (key: string) =>
    patterns.some((pattern) => new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", ".*")}$`, "s").test(key));
  for (const key of [
    "imports/a.ndjson",
    "imports/a/b.ndjson.gz",
    "imports/.ndjson",
    "reports/a.ndjson",
    "imports/a.json",
    "a.ndjson",
  ]) {
    assert.equal(isImport(key), matches(key), key);
  }
});

test("the queue redelivers a message after a crash, then moves it to a dead-letter queue with an alarm", () => {
  assert.equal(imports.SqsManagedSseEnabled, true);
  assertTlsOnly(template, importsId);
  assert.equal(imports.RedrivePolicy.maxReceiveCount, maximumTries);
  assertDeadLetters(template, idIn(imports.RedrivePolicy.deadLetterTargetArn));
  assert.equal(imports.VisibilityTimeout * 1_000, visibilityTimeoutMs);
  assert.ok(visibilityTimeoutMs >= consumerTimeoutMs);
});

test("the function processes one file at a time, at most two of them together, has Lambda's maximum timeout, and has the URLs of both queues", () => {
  assert.ok(existsSync(String(entryPoints.bulkImport)));
  assert.equal(mapping.BatchSize, 1);
  assert.deepEqual(mapping.ScalingConfig, { MaximumConcurrency: 2 });
  assert.equal(splitter.Timeout, 900);
  // It continues by a message to its own queue. By default, Lambda stops a function that does so repeatedly.
  assert.equal(splitter.RecursiveLoop, "Allow");
  const { FEED_QUEUE_URL, IMPORT_QUEUE_URL } = splitter.Environment.Variables;
  assert.deepEqual([idIn(FEED_QUEUE_URL), idIn(IMPORT_QUEUE_URL)], [feedId, importsId]);
});

test("the function may only read files, keep reports, send to both queues and receive from its own", () => {
  const granted: Json[] = statementsOf(template, { properties: splitter });
  const reach = granted.flatMap(({ Action, Resource }) =>
    [Action].flat().flatMap((action) => [Resource].flat().map((resource) => `${action} ${JSON.stringify(resource)}`)),
  );
  const of = (pattern: RegExp) => reach.filter((entry) => pattern.test(entry));
  assert.equal(of(/^s3:GetObject .*\/imports\//).length, 1);
  assert.equal(of(/^s3:GetObject .*\/reports\//).length, 1);
  assert.equal(of(/^s3:PutObject /).length, 1);
  assert.equal(of(/^s3:PutObject .*\/reports\//).length, 1);
  assert.equal(of(/^s3:/).length, 4);
  assert.deepEqual(
    of(/^sqs:SendMessage /)
      .map((entry) => [feedId, importsId].find((id) => entry.includes(id)))
      .toSorted(),
    [feedId, importsId].toSorted(),
  );
  assert.equal(of(/^dynamodb:/).length, 0);
});
