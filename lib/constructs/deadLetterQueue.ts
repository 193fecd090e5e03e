import { Duration, Validations } from "aws-cdk-lib";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { alarmPeriod, serviceAlarm } from "./serviceAlarm.ts";

/** As long as SQS keeps anything: whoever is called by the alarm has time. */
const keptFor = Duration.days(14);

/**
 * A queue for what failed for good, with an alarm that is raised while there is anything in it.
 *
 * @param alarm its section of the runbook, and what it means.
 */
export function deadLetterQueue(scope: Construct, id: string, alarm: { section: string; meaning: string }): Queue {
  const queue = new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: keptFor,
  });
  Validations.of(queue).acknowledge({
    id: "AwsSolutions-SQS3",
    reason: "It is where things go that failed; nothing takes them from it that could fail again.",
  });
  serviceAlarm(scope, alarm.section, {
    meaning: alarm.meaning,
    metric: queue.metricApproximateNumberOfMessagesVisible({ period: alarmPeriod, statistic: "Maximum" }),
    above: 0,
    // What is there stays until somebody takes it.
    badMinutes: 1,
    ofMinutes: 1,
  });
  return queue;
}
