import { Stack } from "aws-cdk-lib";
import type { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { FilterPattern, type ILogGroup, MetricFilter } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { alarmPeriod } from "../shared/serviceAlarm.ts";

/** The namespace of the service's own metrics, one per stage. */
export function metricsNamespace(scope: Construct): string {
  return Stack.of(scope).stackName;
}

/**
 * Counts access log lines in which one of the fields has its value. The gateway's own metrics count all 4xx together, and functions never
 * see the requests that it rejects.
 */
export function accessLogCount(
  scope: Construct,
  metricName: string,
  logGroup: ILogGroup,
  ...anyOf: readonly { field: string; value: string }[]
): Metric {
  const filter = new MetricFilter(scope, metricName, {
    logGroup,
    filterPattern: FilterPattern.any(
      ...anyOf.map(({ field, value }) => FilterPattern.stringValue(`$.${field}`, "=", value)),
    ),
    metricNamespace: metricsNamespace(scope),
    metricName,
    // Other lines count as 0, so that graphs show a line instead of a gap.
    defaultValue: 0,
  });
  return filter.metric({ statistic: "Sum", period: alarmPeriod });
}
