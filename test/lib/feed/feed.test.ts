import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "@jest/globals";
import {
  batchSize,
  consumerTimeoutMs,
  maximumConcurrency,
  maximumTries,
  visibilityTimeoutMs,
} from "../../../functions/feed/feedLimits.ts";
import { recordSortKeys } from "../../../functions/records/recordItem.ts";
import { Settings } from "../../../lib/settings.ts";
import { assertDeadLetters, assertTlsOnly, policyOf } from "../support/deadLetters.ts";
import { functionIn, idIn, type Json, resourcesOf, statementsOf, synthesise } from "../support/synthesise.ts";

const senders = ["111122223333", "arn:aws:iam::444455556666:role/core-system"];
const { template, entryPoints, findings } = await synthesise({ stage: "prod", feedSenders: senders.join(" ") });
const [tableId] = resourcesOf(template, "AWS::DynamoDB::GlobalTable")[0] ?? [];
const queueId = idIn(template.Outputs.FeedQueueUrl.Value);
const queue = template.Resources[queueId].Properties;
const deadLettersId = idIn(queue.RedrivePolicy.deadLetterTargetArn);
const mapping = resourcesOf(template, "AWS::Lambda::EventSourceMapping")
  .map(([, { Properties }]) => Properties)
  .find(({ EventSourceArn }) => idIn(EventSourceArn) === queueId);
const consumer = functionIn(template, mapping.FunctionName).properties;

test("the queue is encrypted, takes messages of up to 1 MiB and keeps them for the maximum of 14 days", () => {
  assert.equal(queue.MaximumMessageSize, 1_048_576);
  assert.equal(queue.SqsManagedSseEnabled, true);
  assert.equal(queue.MessageRetentionPeriod, 14 * 24 * 60 * 60);
  assertTlsOnly(template, queueId);
  assert.deepEqual(findings, []);
});

test("the queue's policy lets only the configured senders send to it", async () => {
  const [, ...allowed] = policyOf(template, queueId);
  assert.deepEqual(
    allowed.map(({ Effect, Action, Resource }) => [Effect, Action, idIn(Resource)]),
    [["Allow", ["sqs:GetQueueUrl", "sqs:SendMessage"], queueId]],
  );
  const named = JSON.stringify(allowed[0].Principal.AWS);
  assert.equal(allowed[0].Principal.AWS.length, 2);
  for (const sender of senders) assert.ok(named.includes(sender), named);
  const unnamed = (await synthesise({ stage: "prod" })).template;
  assert.equal(policyOf(unnamed, queueId).length, 1);
});

test("a setting that does not name every sender exactly is refused", () => {
  for (const feedSenders of [
    "*",
    "arn:aws:iam::111122223333:role/*",
    "arn:aws:iam::*:role/a",
    "111122223333 *",
    "1111",
    "",
  ]) {
    const { error } = Settings.safeParse({ feedSenders });
    assert.match(String(error), /feedSenders/, feedSenders);
  }
});

test("the consumer gets batches, with limited concurrency, and reports failures for each message", () => {
  assert.ok(existsSync(String(entryPoints.feed)));
  assert.equal(mapping.BatchSize, batchSize);
  assert.deepEqual(mapping.ScalingConfig, { MaximumConcurrency: maximumConcurrency });
  assert.deepEqual(mapping.FunctionResponseTypes, ["ReportBatchItemFailures"]);
  assert.equal(consumer.Timeout * 1_000, consumerTimeoutMs);
  assert.equal(queue.VisibilityTimeout * 1_000, visibilityTimeoutMs);
  // Lambda asks for this, so that a batch that waits for its turn is not delivered twice.
  assert.ok(visibilityTimeoutMs >= 6 * consumerTimeoutMs);
});

test("a message that fails at its last try goes to a dead-letter queue with an alarm, also if the consumer does not send it there", () => {
  assert.equal(queue.RedrivePolicy.maxReceiveCount, maximumTries);
  assertDeadLetters(template, deadLettersId);
  assert.equal(idIn(consumer.Environment.Variables.DEAD_LETTER_QUEUE_URL), deadLettersId);
  assert.equal(idIn(consumer.Environment.Variables.FEED_QUEUE_URL), queueId);
  assert.equal(consumer.RecursiveLoop, "Allow");
  // The SDK's three attempts of one call fit into a batch's time.
  assert.ok(3 * Number(consumer.Environment.Variables.DYNAMODB_TIMEOUT_MS) < consumer.Timeout * 1_000);
});

test("the consumer may only read and write records' items, receive messages, and send what is left of them to the feed or the dead-letter queue", () => {
  const granted: Json[] = statementsOf(template, { properties: consumer });
  const [table, ...others] = granted.filter(({ Action }) => JSON.stringify(Action).includes("dynamodb:"));
  assert.deepEqual(others, []);
  assert.deepEqual(table, {
    Effect: "Allow",
    Action: ["dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"],
    Resource: { "Fn::GetAtt": [tableId, "Arn"] },
    Condition: {
      "ForAllValues:StringLike": {
        "dynamodb:LeadingKeys": recordSortKeys.map((type) => `ORG#*#${type}#*`),
      },
      Null: { "dynamodb:LeadingKeys": "false" },
    },
  });
  const queues = granted.filter(({ Action }) => String(Action).includes("sqs:"));
  const reachOf = (action: string) =>
    queues
      .filter(({ Action }) => [Action].flat().includes(action))
      .flatMap(({ Resource }) => [Resource].flat().map(idIn));
  assert.deepEqual(reachOf("sqs:SendMessage").toSorted(), [deadLettersId, queueId].toSorted());
  assert.deepEqual(reachOf("sqs:ReceiveMessage"), [queueId]);
  assert.deepEqual(reachOf("sqs:DeleteMessage"), [queueId]);
});
