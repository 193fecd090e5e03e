import assert from "node:assert/strict";
import { idIn, type Json, resourcesOf, type Template } from "./synthesise.ts";

/** Asserts that a queue is encrypted, keeps messages for the maximum of 14 days, and has an alarm that its first message raises. */
export function assertDeadLetters(template: Template, queueId: string): void {
  const { Properties } = template.Resources[queueId];
  assert.equal(Properties.SqsManagedSseEnabled, true);
  assert.equal(Properties.MessageRetentionPeriod, 14 * 24 * 60 * 60);
  assertTlsOnly(template, queueId);
  const ofQueue = ([, { Properties: alarm }]: [string, Json]) =>
    alarm.Namespace === "AWS/SQS" && idIn(alarm.Dimensions[0].Value) === queueId;
  const [alarm, ...others] = resourcesOf(template, "AWS::CloudWatch::Alarm").filter(ofQueue);
  assert.deepEqual(others, []);
  const properties = alarm?.[1].Properties;
  assert.equal(properties.MetricName, "ApproximateNumberOfMessagesVisible");
  assert.deepEqual([properties.ComparisonOperator, properties.Threshold], ["GreaterThanThreshold", 0]);
}

/** Asserts that a queue refuses requests without TLS. */
export function assertTlsOnly(template: Template, queueId: string): void {
  const [deny] = policyOf(template, queueId);
  assert.deepEqual([deny.Effect, deny.Principal, deny.Action], ["Deny", { AWS: "*" }, "sqs:*"]);
  assert.deepEqual(deny.Condition, { Bool: { "aws:SecureTransport": "false" } });
}

export function policyOf(template: Template, queueId: string): Json[] {
  return resourcesOf(template, "AWS::SQS::QueuePolicy")
    .filter(([, { Properties }]) => Properties.Queues.some((queue: Json) => idIn(queue) === queueId))
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement);
}
