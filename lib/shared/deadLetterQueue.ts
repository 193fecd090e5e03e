import { Duration, Validations } from "aws-cdk-lib";
import { Queue, QueueEncryption, type QueueProps } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { maximum } from "./metrics.ts";
import { serviceAlarm } from "./serviceAlarm.ts";

/** A queue that keeps messages for SQS's maximum, so that they outlive any outage and there is time to react to an alarm. */
export function serviceQueue(scope: Construct, id: string, props: QueueProps = {}): Queue {
  const retentionPeriod = Duration.days(14);
  return new Queue(scope, id, { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true, retentionPeriod, ...props });
}

export function deadLetterQueue(scope: Construct, id: string): Queue {
  const queue = serviceQueue(scope, id);
  Validations.of(queue).acknowledge({
    id: "AwsSolutions-SQS3",
    reason: "It is a dead-letter queue itself, without a consumer that could fail.",
  });
  return queue;
}

/** Adds an alarm that is raised while the queue contains messages. */
export function deadLetterAlarm(scope: Construct, section: string, queue: Queue, meaning: string): void {
  serviceAlarm(scope, section, {
    meaning,
    metric: queue.metricApproximateNumberOfMessagesVisible(maximum),
    above: 0,
    // Messages stay until someone removes them, so one bad minute is enough.
    badMinutes: 1,
    ofMinutes: 1,
  });
}
