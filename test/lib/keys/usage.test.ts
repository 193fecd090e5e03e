import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "@jest/globals";
import { dynamoDbTimeoutMs } from "../../../functions/feed/feedDelivery.ts";
import { consumerTimeoutMs } from "../../../functions/keys/usage.ts";
import { invocationOf } from "../support/awsMetrics.ts";
import { assertDeadLetters } from "../support/deadLetters.ts";
import { functionIn, idIn, only, synthesise } from "../support/synthesise.ts";

const { template, entryPoints, findings } = await synthesise({ stage: "prod" });
const subscription = only(template, "AWS::Logs::SubscriptionFilter").Properties;

test("the consumer receives the lines of requests with an API key from the log of all functions that serve requests", () => {
  assert.ok(existsSync(String(entryPoints.usage)));
  const { id } = functionIn(template, subscription.DestinationArn);
  const log = idIn(subscription.LogGroupName);
  assert.deepEqual(template.Resources[functionOf("listEvents")].Properties.LoggingConfig.LogGroup, { Ref: log });
  assert.equal(subscription.FilterPattern, '{ ($.message = "request") && ($.key_id = "*") }');
  // Otherwise each of its own lines would be delivered to it.
  assert.notEqual(idIn(template.Resources[id].Properties.LoggingConfig.LogGroup), log);
  assert.deepEqual(findings, []);
});

test("a batch that fails three times goes to a queue with an alarm", () => {
  assertDeadLetters(template, idIn(invocationOf(template, "usage").DestinationConfig.OnFailure.Destination));
});

test("the consumer has time for a busy table, and each of its calls may be slow", () => {
  const { Timeout, Environment } = template.Resources[functionIn(template, subscription.DestinationArn).id].Properties;
  assert.equal(Timeout * 1_000, consumerTimeoutMs);
  assert.equal(Environment.Variables.DYNAMODB_TIMEOUT_MS, String(dynamoDbTimeoutMs));
});

function functionOf(name: string): string {
  const [id] = Object.entries(template.Resources).find(
    ([each, { Type }]) => Type === "AWS::Lambda::Function" && each.startsWith(`Api${name}Function`),
  ) ?? [""];
  return id;
}
