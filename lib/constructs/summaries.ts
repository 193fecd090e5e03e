import { Duration, Validations } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { EventSourceMapping, FilterCriteria, FilterRule, StartingPosition } from "aws-cdk-lib/aws-lambda";
import { SqsDlq } from "aws-cdk-lib/aws-lambda-event-sources";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { delivery } from "../../functions/consumers/delivery.ts";
import { type DataTable, reaches } from "./dataTable.ts";
import { type Directories, serviceFunction } from "./serviceFunction.ts";

/** As long as SQS keeps anything: whoever is called by the alarm has time. */
const failedRecordsAreKept = Duration.days(14);
/** More at a time cost fewer writes, and a summary may be so much behind. */
const batchingWindow = Duration.seconds(1);

/** Keeps the summaries up to date from the table's stream. What cannot be counted is told to a queue, and the queue raises an alarm. */
export class Summaries extends Construct {
  constructor(scope: Construct, id: string, { data, directories }: { data: DataTable; directories: Directories }) {
    super(scope, id);
    const handler = serviceFunction(this, "summaries", {
      directories,
      description: "Keeps the summaries up to date from the table's stream",
    });
    const { counted, summaries } = reaches;
    const partitionKeys = [...counted.partitionKeys, ...summaries.partitionKeys];
    data.grant(handler, ["BatchGetItem"], { ...counted, partitionKeys });
    data.grant(handler, ["PutItem"], counted);
    data.grant(handler, ["UpdateItem"], summaries);
    new EventSourceMapping(this, "Stream", {
      target: handler,
      eventSourceArn: data.grantStream(handler),
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: delivery.batchSize,
      maxBatchingWindow: batchingWindow,
      filters: [FilterCriteria.filter({ dynamodb: { Keys: { SK: { S: FilterRule.or(...delivery.sortKeys) } } } })],
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: delivery.maximumRetries,
      onFailure: new SqsDlq(this.failedRecords()),
    });
  }

  private failedRecords(): Queue {
    const queue = new Queue(this, "FailedRecords", {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: failedRecordsAreKept,
    });
    Validations.of(queue).acknowledge({
      id: "AwsSolutions-SQS3",
      reason: "It is where records go that failed; nothing takes messages from it that could fail again.",
    });
    new Alarm(this, "FailedRecordsAlarm", {
      alarmDescription: "Changes were not counted in summaries. docs/decisions/0009-summaries.md tells what to do.",
      metric: queue.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(1), statistic: "Maximum" }),
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      threshold: 0,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    return queue;
  }
}
