import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { delivery } from "../../functions/consumers/summariesDelivery.ts";
import { keys } from "../../functions/data/table/keys.ts";
import { assertDeadLetters } from "./deadLetters.ts";
import { functionIn, idIn, resourcesOf, statementsOf, synthesise } from "./synthesise.ts";

const { template, entryPoints, findings } = synthesise({ stage: "prod" });
const [tableId] = resourcesOf(template, "AWS::DynamoDB::GlobalTable")[0] ?? [];
const arn = { "Fn::GetAtt": [tableId, "Arn"] };
const streamArn = { "Fn::GetAtt": [tableId, "StreamArn"] };
const mapping = resourcesOf(template, "AWS::Lambda::EventSourceMapping")
  .map(([, { Properties }]) => Properties)
  .find(({ EventSourceArn }) => isDeepStrictEqual(EventSourceArn, streamArn));

/** The partition keys of the items that count. */
const counted = ["ORDER", "TICKET", "PAYMENT", "BALANCEPAYMENT", "CATEGORY"].map((type) => `ORG#*#${type}#*`);
const summaries = ["ORG#*#EVENTSUMMARY#*", "ORG#*#DATESUMMARY#*"];

test("the stream brings what counts, from its beginning, and nothing that the consumer writes itself", () => {
  assert.deepEqual(mapping.EventSourceArn, streamArn);
  assert.equal(mapping.StartingPosition, "TRIM_HORIZON");
  const [{ Pattern }, ...others] = mapping.FilterCriteria.Filters;
  assert.deepEqual(others, []);
  const { S } = JSON.parse(Pattern).dynamodb.Keys.SK;
  const items = [keys.order, keys.ticket, keys.payment, keys.balancePayment, keys.ticketCategory];
  assert.deepEqual(
    S,
    items.map((key) => key(1, 1).SK),
  );
  assert.deepEqual(S, delivery.sortKeys);
});

test("records that fail are tried again by themselves, and then told to a queue that raises an alarm", () => {
  assert.deepEqual(mapping.FunctionResponseTypes, ["ReportBatchItemFailures"]);
  assert.equal(mapping.BisectBatchOnFunctionError, true);
  assert.equal(mapping.MaximumRetryAttempts, delivery.maximumRetries);
  assert.equal(mapping.BatchSize, delivery.batchSize);
  assert.equal(mapping.MaximumBatchingWindowInSeconds, 1);
  assertDeadLetters(template, idIn(mapping.DestinationConfig.OnFailure.Destination));
  assert.deepEqual(findings, []);
});

test("the consumer may read what counts and the summaries, put what is counted, and update the summaries", () => {
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
