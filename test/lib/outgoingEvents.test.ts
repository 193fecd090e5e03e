import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { outgoingPatterns } from "../../functions/data/records/outgoingChange.ts";
import { assertDeadLetters } from "./deadLetters.ts";
import { functionIn, idIn, type Json, only, resourcesOf, statementsOf, synthesise } from "./synthesise.ts";

const { template, entryPoints, findings } = synthesise({ stage: "prod" });
const [tableId] = resourcesOf(template, "AWS::DynamoDB::GlobalTable")[0] ?? [];
const pipe = only(template, "AWS::Pipes::Pipe").Properties;
const stream = pipe.SourceParameters.DynamoDBStreamParameters;
const [busId, bus] = resourcesOf(template, "AWS::Events::EventBus")[0] ?? [];

test("the pipe takes from the table's stream, from its beginning, what may leave and nothing else", () => {
  assert.deepEqual(pipe.Source, { "Fn::GetAtt": [tableId, "StreamArn"] });
  assert.equal(stream.StartingPosition, "TRIM_HORIZON");
  const patterns = pipe.SourceParameters.FilterCriteria.Filters.map(({ Pattern }: Json) => JSON.parse(Pattern));
  assert.deepEqual(patterns, outgoingPatterns);
});

test("what it takes becomes events, by the function that knows which, on a bus of the stage's own", () => {
  assert.ok(existsSync(String(entryPoints.outgoingEvents)));
  assert.ok(functionIn(template, pipe.Enrichment));
  assert.equal(idIn(pipe.Target), busId);
  assert.equal(bus.Properties.Name, "ticketing-prod");
  assert.deepEqual(pipe.TargetParameters, {
    EventBridgeEventBusParameters: { Source: "ticketing", DetailType: "$.detail_type" },
    InputTemplate: "<$.detail>",
  });
  // A bus takes no more in one call.
  assert.ok(stream.BatchSize <= 10);
  assert.equal(idIn(template.Outputs.EventBusName.Value), busId);
});

test("what fails is tried again, by itself in the end, and then told to a queue that raises an alarm", () => {
  assert.equal(stream.OnPartialBatchItemFailure, "AUTOMATIC_BISECT");
  assert.ok(stream.MaximumRetryAttempts > 0);
  assertDeadLetters(template, idIn(stream.DeadLetterConfig.Arn));
});

test("the pipe may read the stream, call its function, write to the bus, its queue and its log, and nothing else", () => {
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

test("the function that makes events may read and write nothing", () => {
  const actions = statementsOf(template, functionIn(template, pipe.Enrichment));
  const named = actions.flatMap(({ Action }) => Action).filter((action: string) => !/^(logs|xray):/.test(action));
  assert.deepEqual(named, []);
});
