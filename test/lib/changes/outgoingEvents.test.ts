import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "@jest/globals";
import { outgoingPatterns } from "../../../functions/changes/outgoingEvents.ts";
import { assertDeadLetters } from "../support/deadLetters.ts";
import { functionIn, idIn, type Json, only, resourcesOf, statementsOf, synthesise } from "../support/synthesise.ts";

const { template, entryPoints, findings } = await synthesise({ stage: "prod" });
const [tableId] = resourcesOf(template, "AWS::DynamoDB::GlobalTable")[0] ?? [];
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
  assert.ok(stream.MaximumRetryAttempts > 0);
  assertDeadLetters(template, idIn(stream.DeadLetterConfig.Arn));
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
  assert.deepEqual(findings, []);
});

test("the function that makes events may neither read nor write data", () => {
  const actions = statementsOf(template, functionIn(template, pipe.Enrichment));
  const named = actions.flatMap(({ Action }) => Action).filter((action: string) => !/^(logs|xray):/.test(action));
  assert.deepEqual(named, []);
});
