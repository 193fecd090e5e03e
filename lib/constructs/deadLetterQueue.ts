import { Duration, Validations } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";

/** As long as SQS keeps anything: whoever is called by the alarm has time. */
const keptFor = Duration.days(14);

/**
 * A queue for what failed for good, with an alarm that is raised while there is anything in it.
 *
 * @param alarmDescription what it means, and what tells what to do.
 */
export function deadLetterQueue(scope: Construct, id: string, alarmDescription: string): Queue {
  const queue = new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: keptFor,
  });
  Validations.of(queue).acknowledge({
    id: "AwsSolutions-SQS3",
    reason: "It is where things go that failed; nothing takes them from it that could fail again.",
  });
  new Alarm(scope, `${id}Alarm`, {
    alarmDescription,
    metric: queue.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(1), statistic: "Maximum" }),
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    threshold: 0,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
  return queue;
}
