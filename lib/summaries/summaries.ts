import { Duration } from "aws-cdk-lib";
import { EventSourceMapping, FilterCriteria, FilterRule, MetricType, StartingPosition } from "aws-cdk-lib/aws-lambda";
import { SqsDlq } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { dynamoDbTimeoutMs } from "../../functions/feed/feedDelivery.ts";
import {
  batchSize,
  consumerTimeoutMs,
  maximumRetries,
  streamedSortKeys,
} from "../../functions/summaries/summariesDelivery.ts";
import { deadLetterAlarm } from "../shared/deadLetterQueue.ts";
import { type Directories, serviceFunction } from "../shared/serviceFunction.ts";
import { type DataTable, reaches } from "../table/dataTable.ts";
import { grantWake } from "../webhooks/webhooks.ts";

const alarm = { section: "summaries-failed-records", meaning: "Changes were not counted in summaries." };
/** Larger batches need fewer writes, and summaries may lag by this much. */
const batchingWindow = Duration.seconds(1);

interface SummariesProps {
  data: DataTable;
  /** The queue of webhooks to wake: by the same stream, because DynamoDB's has room for two readers only. */
  wakeUps: Queue;
  /** Receives the changes that cannot be counted. */
  failedRecords: Queue;
  directories: Directories;
}

/** Updates the summaries from the table's stream. */
export class Summaries extends Construct {
  readonly mappingId: string;

  constructor(scope: Construct, id: string, { data, wakeUps, failedRecords, directories }: SummariesProps) {
    super(scope, id);
    deadLetterAlarm(this, failedRecords, alarm);
    const handler = serviceFunction(this, "summaries", {
      directories,
      description: "Updates the summaries from the table's stream",
      timeoutMs: consumerTimeoutMs,
    });
    handler.addEnvironment("DYNAMODB_TIMEOUT_MS", String(dynamoDbTimeoutMs));
    const { counted, summaries } = reaches;
    const partitionKeys = [...counted.partitionKeys, ...summaries.partitionKeys];
    data.grant(handler, ["BatchGetItem"], { ...counted, partitionKeys });
    data.grant(handler, ["PutItem"], counted);
    data.grant(handler, ["UpdateItem"], summaries);
    data.grant(handler, ["Query", "GetItem", "PutItem"], reaches.webhooks);
    grantWake(wakeUps, handler);
    const mapping = new EventSourceMapping(this, "Stream", {
      target: handler.live,
      eventSourceArn: data.grantStream(handler),
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize,
      maxBatchingWindow: batchingWindow,
      filters: [FilterCriteria.filter({ dynamodb: { Keys: { SK: { S: FilterRule.or(...streamedSortKeys) } } } })],
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: maximumRetries,
      onFailure: new SqsDlq(failedRecords),
      metricsConfig: { metrics: [MetricType.EVENT_COUNT] },
    });
    this.mappingId = mapping.eventSourceMappingId;
  }
}
