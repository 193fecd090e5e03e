import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { test } from "@jest/globals";
import { dynamoDbTimeoutMs } from "../../../functions/feed/feedDelivery.ts";
import { batchSize, consumerTimeoutMs, maximumRetries } from "../../../functions/summaries/summariesDelivery.ts";
import { countedSortKeys } from "../../../functions/summaries/summaryShares.ts";
import { keys } from "../../../functions/table/keys.ts";
import { assertDeadLetters } from "../support/deadLetters.ts";
import { functionIn, idIn, resourcesOf, statementsOf, synthesise } from "../support/synthesise.ts";

const { template, entryPoints, findings } = await synthesise({ stage: "prod" });
const [tableId] = resourcesOf(template, "AWS::DynamoDB::GlobalTable")[0] ?? [];
const arn = { "Fn::GetAtt": [tableId, "Arn"] };
const streamArn = { "Fn::GetAtt": [tableId, "StreamArn"] };
const mapping = resourcesOf(template, "AWS::Lambda::EventSourceMapping")
  .map(([, { Properties }]) => Properties)
  .find(({ EventSourceArn }) => isDeepStrictEqual(EventSourceArn, streamArn));

/** The partition keys of the items that summaries count. */
const counted = ["ORDER", "TICKET", "PAYMENT", "BALANCEPAYMENT", "CATEGORY"].map((type) => `ORG#*#${type}#*`);
const summaries = ["ORG#*#EVENTSUMMARY#*", "ORG#*#DATESUMMARY#*"];

test("the consumer reads the stream from its beginning, only the items that summaries count", () => {
  assert.deepEqual(mapping.EventSourceArn, streamArn);
  assert.equal(mapping.StartingPosition, "TRIM_HORIZON");
  const [{ Pattern }, ...others] = mapping.FilterCriteria.Filters;
  assert.deepEqual(others, []);
  const { S } = JSON.parse(Pattern).dynamodb.Keys.SK;
  const items = [keys.order, keys.ticket, keys.payment, keys.balance_payment, keys.ticket_category];
  assert.deepEqual(
    S,
    items.map((key) => key(1, 1).SK),
  );
  assert.deepEqual(S, countedSortKeys);
});

test("the consumer has time for a busy table, and each of its calls may be slow", () => {
  const { Timeout, Environment } = template.Resources[functionIn(template, mapping.FunctionName).id].Properties;
  assert.equal(Timeout * 1_000, consumerTimeoutMs);
  assert.equal(Environment.Variables.DYNAMODB_TIMEOUT_MS, String(dynamoDbTimeoutMs));
});

test("failed records are retried one by one and then go to a dead-letter queue with an alarm", () => {
  assert.deepEqual(mapping.FunctionResponseTypes, ["ReportBatchItemFailures"]);
  assert.equal(mapping.BisectBatchOnFunctionError, true);
  assert.equal(mapping.MaximumRetryAttempts, maximumRetries);
  assert.equal(mapping.BatchSize, batchSize);
  assert.equal(mapping.MaximumBatchingWindowInSeconds, 1);
  assertDeadLetters(template, idIn(mapping.DestinationConfig.OnFailure.Destination));
  assert.deepEqual(findings, []);
});

test("the consumer may only read counted items and summaries, put contributions and update summaries", () => {
  assert.ok(existsSync(String(entryPoints.summaries)));
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
    "xray:PutTelemetryRecords",
    "xray:PutTraceSegments",
  ]);
});
