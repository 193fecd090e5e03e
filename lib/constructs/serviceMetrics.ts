import { Stack } from "aws-cdk-lib";
import type { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { FilterPattern, type ILogGroup, MetricFilter } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { alarmPeriod } from "./serviceAlarm.ts";

/** The namespace of the service's own metrics: each stage has one. */
export function metricsNamespace(scope: Construct): string {
  return Stack.of(scope).stackName;
}

/**
 * Counts the lines of the access log in which a field has a value. The gateway itself counts all of its 4xx together, and functions are not
 * asked about what it refuses alone.
 */
export function accessLogCount(
  scope: Construct,
  metricName: string,
  logGroup: ILogGroup,
  { field, value }: { field: string; value: string },
): Metric {
  const filter = new MetricFilter(scope, metricName, {
    logGroup,
    filterPattern: FilterPattern.stringValue(`$.${field}`, "=", value),
    metricNamespace: metricsNamespace(scope),
    metricName,
    // Other lines count as 0, so that there is a line to see where nothing happens.
    defaultValue: 0,
  });
  return filter.metric({ statistic: "Sum", period: alarmPeriod });
}
