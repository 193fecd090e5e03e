import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import type { ITableV2 } from "aws-cdk-lib/aws-dynamodb";
import type { Construct } from "constructs";
import { damagedItems } from "../../functions/log/measurements.ts";
import { tableDefinition } from "../../functions/table/definition.ts";
import { ownMetric, sum, total } from "../shared/metrics.ts";
import { observability, serviceAlarm } from "../shared/serviceAlarm.ts";

/** Adds the alarms of the table to the API stack, like all alarms. */
export function addTableAlarms(apiStack: Construct, { tableName: TableName }: ITableV2): void {
  const scope = observability(apiStack);
  const count = (metricName: string, others: Record<string, string> = {}) =>
    new Metric({ namespace: "AWS/DynamoDB", metricName, dimensionsMap: { TableName, ...others }, ...sum });
  /** DynamoDB counts the throttling of indexes separately. */
  const ofIndexes = (metricName: string) =>
    tableDefinition.indexes.map(({ indexName }) => count(metricName, { GlobalSecondaryIndexName: indexName }));
  serviceAlarm(scope, "table-throttles", {
    meaning: "DynamoDB throttles reads, or writes of the table.",
    metric: total("throttles", "Throttled reads, and writes of the table", [
      ...[count("ReadThrottleEvents"), count("WriteThrottleEvents")],
      ...ofIndexes("ReadThrottleEvents"),
    ]),
    // An on-demand table throttles briefly while it scales to a new peak. The client and the feed retry.
    above: 100,
  });
  // Separate, because an alarm may have at most ten metrics. Throttled indexes delay writes to the table.
  serviceAlarm(scope, "index-throttles", {
    meaning: "DynamoDB throttles writes of an index.",
    metric: total("index", "Throttled writes of indexes", ofIndexes("WriteThrottleEvents")),
    above: 100,
  });
  serviceAlarm(scope, "damaged-items", {
    meaning: "An item of the table is damaged, so lists and changes are served without it.",
    metric: ownMetric(scope, damagedItems, "damaged_items"),
    // Counted whenever a list omits the item. The next reader may come hours later, so one minute is enough.
    above: 0,
    badMinutes: 1,
  });
}
