import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { test } from "@jest/globals";
import { consumerTimeoutMs as usageTimeoutMs } from "../../functions/keys/countUsage.ts";
import { outgoingPatterns } from "../../functions/stream/outgoingEvents.ts";
import { batchSize, consumerTimeoutMs, maximumRetries } from "../../functions/stream/streamLimits.ts";
import { countedSortKeys } from "../../functions/summaries/countedItem.ts";
import { keys } from "../../functions/table/keys.ts";
import { jobCallTimeoutMs } from "../../functions/table/pace.ts";
import * as webhooks from "../../functions/webhooks/deliveryLimits.ts";
import { assertDeadLetters, assertTlsOnly } from "./support/deadLetters.ts";
import { functionIn, idIn, type Json, only, resourcesOf, statementsOf, synthesise } from "./support/synthesise.ts";

const { template, entryPoints } = await synthesise({ stage: "prod" });
const [tableId] = resourcesOf(template, "AWS::DynamoDB::GlobalTable")[0] ?? [];
const subscription = only(template, "AWS::Logs::SubscriptionFilter").Properties;

test("the consumer receives the lines of requests with an API key from the log of all functions that serve requests", () => {
  assert.ok(existsSync(String(entryPoints.usage)));
  const { id } = functionIn(template, subscription.DestinationArn);
  const log = idIn(subscription.LogGroupName);
  assert.deepEqual(template.Resources[functionOf("listEvents")].Properties.LoggingConfig.LogGroup, { Ref: log });
  assert.equal(subscription.FilterPattern, '{ $.key_id = "*" }');
  // Otherwise each of its own lines would be delivered to it.
  assert.notEqual(idIn(template.Resources[id].Properties.LoggingConfig.LogGroup), log);
});

test("a batch that fails three times goes to a queue with an alarm", () => {
  assertDeadLetters(
    template,
    idIn(only(template, "AWS::Lambda::EventInvokeConfig").Properties.DestinationConfig.OnFailure.Destination),
  );
});

test("no function is traced that no request calls, because Lambda would trace its first call of each second", () => {
  const traced = resourcesOf(template, "AWS::Lambda::Function").filter(
    ([, { Properties }]) => Properties.TracingConfig,
  );
  assert.ok(traced.length > 0);
  for (const [id] of traced) assert.ok(id.startsWith("Api"), id);
});

function functionOf(name: string): string {
  const [id] = Object.entries(template.Resources).find(
    ([each, { Type }]) => Type === "AWS::Lambda::Function" && each.startsWith(`Api${name}Function`),
  ) ?? [""];
  return id;
}

const arn = { "Fn::GetAtt": [tableId, "Arn"] };
const streamArn = { "Fn::GetAtt": [tableId, "StreamArn"] };
const mapping = resourcesOf(template, "AWS::Lambda::EventSourceMapping")
  .map(([, { Properties }]) => Properties)
  .find(({ EventSourceArn }) => isDeepStrictEqual(EventSourceArn, streamArn));

/** The partition keys of the items that summaries count. */
const counted = ["ORDER", "TICKET", "PAYMENT", "BALANCEPAYMENT", "CATEGORY"].map((type) => `ORG#*#${type}#*`);
const summaries = ["ORG#*#EVENTSUMMARY#*", "ORG#*#DATESUMMARY#*"];

test("the consumer reads the stream from its beginning, only the items that summaries count or webhooks follow", () => {
  assert.deepEqual(mapping.EventSourceArn, streamArn);
  assert.equal(mapping.StartingPosition, "TRIM_HORIZON");
  const [{ Pattern }, ...others] = mapping.FilterCriteria.Filters;
  assert.deepEqual(others, []);
  const { S } = JSON.parse(Pattern).dynamodb.Keys.SK;
  const items = [keys.order, keys.ticket, keys.payment, keys.balance_payment, keys.ticket_category];
  const followed = [keys.event, keys.event_date, keys.discount, keys.attendee];
  assert.deepEqual(S.toSorted(), [...items, ...followed].map((key) => key(1, 1).SK).toSorted());
  assert.deepEqual(
    countedSortKeys,
    items.map((key) => key(1, 1).SK),
  );
});

test.each([
  ["log", subscription.DestinationArn, usageTimeoutMs],
  ["stream", mapping.FunctionName, consumerTimeoutMs],
])("the consumer of the %s has time for a busy table, and each of its calls may be slow", (_what, arn, timeoutMs) => {
  const { Timeout, Environment } = template.Resources[functionIn(template, arn).id].Properties;
  assert.equal(Timeout * 1_000, timeoutMs);
  assert.equal(Environment.Variables.DYNAMODB_TIMEOUT_MS, String(jobCallTimeoutMs));
});

test("failed records are retried one by one and then go to a dead-letter queue with an alarm", () => {
  assert.deepEqual(mapping.FunctionResponseTypes, ["ReportBatchItemFailures"]);
  assert.equal(mapping.BisectBatchOnFunctionError, true);
  assert.equal(mapping.MaximumRetryAttempts, maximumRetries);
  assert.equal(mapping.BatchSize, batchSize);
  assert.equal(mapping.MaximumBatchingWindowInSeconds, 1);
  assertDeadLetters(template, idIn(mapping.DestinationConfig.OnFailure.Destination));
});

test("the consumer may only read counted items and summaries, put last counts and update summaries", () => {
  assert.ok(existsSync(String(entryPoints.tableStream)));
  const own = functionIn(template, mapping.FunctionName);
  const onlyKeysLike = (...patterns: string[]) => ({
    "ForAllValues:StringLike": { "dynamodb:LeadingKeys": patterns },
    Null: { "dynamodb:LeadingKeys": "false" },
  });
  const granted = statementsOf(template, own).filter(({ Action }) => JSON.stringify(Action).includes("dynamodb:"));
  assert.deepEqual(
    granted.map(({ Action, Resource, Condition }) => [Action, Resource, Condition]),
    [
      ["dynamodb:BatchGetItem", arn, onlyKeysLike(...counted, ...summaries)],
      ["dynamodb:PutItem", arn, onlyKeysLike(...counted)],
      ["dynamodb:UpdateItem", arn, onlyKeysLike(...summaries)],
      [["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query"], arn, onlyKeysLike("ORG#*#WEBHOOKS")],
      [["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"], streamArn, undefined],
      ["dynamodb:ListStreams", { "Fn::Join": ["", [arn, "/stream/*"]] }, undefined],
    ],
  );
  const others = statementsOf(template, own).flatMap(({ Action }) => Action);
  assert.deepEqual(others.filter((action) => !action.startsWith("dynamodb:")).toSorted(), [
    "logs:CreateLogStream",
    "logs:PutLogEvents",
    "sqs:GetQueueAttributes",
    "sqs:GetQueueUrl",
    "sqs:SendMessage",
    // Wakes webhooks.
    "sqs:SendMessage",
  ]);
});

const [wakeUpsId = "", wakeUps] =
  resourcesOf(template, "AWS::SQS::Queue").find(([id]) => id.startsWith("WebhookWakeUps")) ?? [];
const delivery = resourcesOf(template, "AWS::Lambda::EventSourceMapping")
  .map(([, { Properties }]) => Properties)
  .find(({ EventSourceArn }) => idIn(EventSourceArn) === wakeUpsId);

test("webhooks are delivered in batches, with limited concurrency, of which failed messages come again alone, for two weeks", () => {
  assert.equal(delivery.BatchSize, webhooks.batchSize);
  assert.equal(delivery.MaximumBatchingWindowInSeconds, webhooks.batchingSeconds);
  assert.deepEqual(delivery.ScalingConfig, { MaximumConcurrency: webhooks.maximumConcurrency });
  assert.deepEqual(delivery.FunctionResponseTypes, ["ReportBatchItemFailures"]);
  const { Timeout, RecursiveLoop } = template.Resources[functionIn(template, delivery.FunctionName).id].Properties;
  assert.equal(Timeout * 1_000, webhooks.consumerTimeoutMs);
  // Webhooks come back to the queue.
  assert.equal(RecursiveLoop, "Allow");
  assert.equal(wakeUps?.Properties.VisibilityTimeout * 1_000, webhooks.visibilityTimeoutMs);
  assert.equal(wakeUps?.Properties.MessageRetentionPeriod, 14 * 24 * 60 * 60);
  assertTlsOnly(template, wakeUpsId);
});

test("the released version of the function looks for due webhooks each minute", () => {
  const sweep = resourcesOf(template, "AWS::Events::Rule").find(([id]) => id.startsWith("WebhooksSweep"))?.[1];
  assert.equal(sweep.Properties.ScheduleExpression, "rate(1 minute)");
  assert.match(JSON.stringify(sweep.Properties.Targets[0].Arn), /^\{"Ref":"WebhookswebhooksFunctionAliaslive/);
});

test("the key of webhooks' secrets is for their algorithm, and another Region can have it", () => {
  const [, key] = resourcesOf(template, "AWS::KMS::Key").find(([id]) => id.startsWith("WebhooksKey")) ?? [];
  assert.equal(key.Properties.MultiRegion, true);
  const { KeySpec, KeyUsage } = key.Properties;
  assert.deepEqual([KeySpec, KeyUsage], ["HMAC_256", "GENERATE_VERIFY_MAC"]);
});

const pipe = only(template, "AWS::Pipes::Pipe").Properties;
const stream = pipe.SourceParameters.DynamoDBStreamParameters;
const [busId, bus] = resourcesOf(template, "AWS::Events::EventBus")[0] ?? [];

test("the pipe reads the table's stream from its beginning, only the items that may become outgoing events", () => {
  assert.deepEqual(pipe.Source, { "Fn::GetAtt": [tableId, "StreamArn"] });
  assert.equal(stream.StartingPosition, "TRIM_HORIZON");
  const patterns = pipe.SourceParameters.FilterCriteria.Filters.map(({ Pattern }: Json) => JSON.parse(Pattern));
  assert.deepEqual(patterns, outgoingPatterns);
});

test("a function turns the items into events, on the stage's own bus", () => {
  assert.ok(existsSync(String(entryPoints.outgoingEvents)));
  assert.ok(functionIn(template, pipe.Enrichment));
  assert.equal(idIn(pipe.Target), busId);
  assert.equal(bus.Properties.Name, "ticketing-prod");
  assert.deepEqual(pipe.TargetParameters, {
    EventBridgeEventBusParameters: { Source: "ticketing", DetailType: "$.detail_type" },
    InputTemplate: "<$.detail>",
  });
  // A bus takes at most 10 events in one call.
  assert.ok(stream.BatchSize <= 10);
  assert.equal(idIn(template.Outputs.EventBusName.Value), busId);
});

test("failed items are retried, in the end one by one, and then go to a dead-letter queue with an alarm", () => {
  assert.equal(stream.OnPartialBatchItemFailure, "AUTOMATIC_BISECT");
  assert.equal(stream.MaximumRetryAttempts, maximumRetries);
  assertDeadLetters(template, idIn(stream.DeadLetterConfig.Arn));
});

test("the pipe logs its errors", () => {
  assert.equal(pipe.LogConfiguration.Level, "ERROR");
});

test("the pipe may only read the stream, call its function, and write to the bus, its queue and its log", () => {
  const granted = statementsOf(template, { properties: { Role: pipe.RoleArn } });
  assert.deepEqual(granted.flatMap(({ Action }) => Action).toSorted(), [
    "dynamodb:DescribeStream",
    "dynamodb:GetRecords",
    "dynamodb:GetShardIterator",
    "dynamodb:ListStreams",
    "events:PutEvents",
    "lambda:InvokeFunction",
    "logs:CreateLogStream",
    "logs:PutLogEvents",
    "sqs:GetQueueAttributes",
    "sqs:GetQueueUrl",
    "sqs:SendMessage",
  ]);
  assert.ok(!JSON.stringify(granted.map(({ Resource }) => Resource)).includes('"*"'));
});
