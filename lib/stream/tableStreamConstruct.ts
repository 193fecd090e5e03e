import { Duration } from "aws-cdk-lib";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { EventSourceMapping, FilterCriteria, FilterRule, MetricType, StartingPosition } from "aws-cdk-lib/aws-lambda";
import { SqsDlq } from "aws-cdk-lib/aws-lambda-event-sources";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { batchSize, consumerTimeoutMs, maximumRetries, streamedSortKeys } from "../../functions/stream/streamLimits.ts";
import { jobCallTimeoutMs } from "../../functions/table/callLimit.ts";
import { deadLetterAlarm } from "../shared/deadLetterQueue.ts";
import { maximum } from "../shared/metrics.ts";
import { comparedSum, observability, serviceAlarm, stoppedAlarm } from "../shared/serviceAlarm.ts";
import { type Directories, type ServiceFunction, serviceFunction } from "../shared/serviceFunction.ts";
import { type DataTable, tableAccessOf } from "../table/dataTable.ts";
import { grantWake } from "../webhooks/webhooksConstruct.ts";

/** Larger batches need fewer writes, and summaries may lag by this much. */
const batchingWindow = Duration.seconds(1);

interface TableStreamProps {
  data: DataTable;
  /** The queue of webhooks to wake. This reader fills it, because a stream serves only two. */
  wakeUps: Queue;
  failedRecords: Queue;
  directories: Directories;
}

/** Reads the table's stream: updates the summaries, wakes webhooks, and blanks texts of deleted events. */
export class TableStream extends Construct {
  constructor(scope: Construct, id: string, { data, wakeUps, failedRecords, directories }: TableStreamProps) {
    super(scope, id);
    const handler = serviceFunction(this, "tableStream", {
      directories,
      description: "Updates summaries and wakes webhooks from the table's stream",
      timeoutMs: consumerTimeoutMs,
    });
    handler.addEnvironment("DYNAMODB_TIMEOUT_MS", String(jobCallTimeoutMs));
    const { counted, summaries, events, balancePayments } = tableAccessOf;
    const keysOf = (...some: { partitionKeys: readonly string[] }[]) => some.flatMap((one) => one.partitionKeys);
    data.grant(handler, ["BatchGetItem"], { ...counted, partitionKeys: keysOf(counted, summaries, events) });
    data.grant(handler, ["PutItem"], counted);
    data.grant(handler, ["UpdateItem"], { ...summaries, partitionKeys: keysOf(summaries, balancePayments) });
    data.grant(handler, ["GetItem"], balancePayments);
    data.grant(handler, ["Query"], events);
    data.grant(handler, ["Query", "GetItem", "PutItem"], tableAccessOf.webhooks);
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
    deadLetterAlarm(this, "table-stream-failed-records", failedRecords, "Changes were not counted in summaries.");
    addAlarms(observability(this), data.table.tableName, handler, mapping);
  }
}

function addAlarms(
  scope: Construct,
  TableName: string,
  handler: ServiceFunction,
  { eventSourceMappingId: EventSourceMappingUUID }: EventSourceMapping,
): void {
  serviceAlarm(scope, "table-stream-age", {
    meaning: "Summaries and wake-ups of webhooks are more than five minutes behind.",
    metric: handler.metric("IteratorAge", maximum),
    // Summaries are a second or two behind by design. The stream keeps uncounted changes for a day.
    above: 5 * 60_000,
  });
  const sumOf = (namespace: string, metricName: string, dimensionsMap: Record<string, string>) =>
    new Metric({ namespace, metricName, dimensionsMap, ...comparedSum });
  stoppedAlarm(scope, "table-stream-stopped", {
    meaning: "The table changes, but nothing reads its stream for summaries and webhooks.",
    label: "Table stream stopped",
    // A mapping that polls without finding records reports 0, so writes that change nothing are not mistaken for a stopped mapping
    // (https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html#event-source-mapping-metrics).
    condition: "FILL(written, 0) > 0 && FILL(polled, -1) < 0",
    usingMetrics: {
      written: sumOf("AWS/DynamoDB", "ConsumedWriteCapacityUnits", { TableName }),
      polled: sumOf("AWS/Lambda", "PolledEventCount", { EventSourceMappingUUID }),
    },
  });
}
