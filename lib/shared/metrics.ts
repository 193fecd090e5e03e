import { Duration, Stack } from "aws-cdk-lib";
import { type IMetric, MathExpression, Metric, type MetricOptions } from "aws-cdk-lib/aws-cloudwatch";
import type { Construct } from "constructs";

/** The period of most alarms' metrics, the shortest that AWS offers for them. */
export const alarmPeriod = Duration.minutes(1);
export const sum = { statistic: "Sum", period: alarmPeriod };
export const maximum = { statistic: "Maximum", period: alarmPeriod };

export function metricsNamespace(scope: Construct): string {
  return Stack.of(scope).stackName;
}

/** A metric in the log lines of a function or an operation, by default the sum of a minute. */
export function ownMetric(scope: Construct, operation_id: string, metricName: string, options: MetricOptions = sum) {
  return new Metric({ namespace: metricsNamespace(scope), metricName, dimensionsMap: { operation_id }, ...options });
}

export function perMinute(label: string, expression: string, usingMetrics: Record<string, IMetric>): MathExpression {
  return new MathExpression({ label, expression, usingMetrics, period: alarmPeriod });
}

/** Missing data counts as 0, because AWS sends most counts only when they are positive. @param name a prefix that is unique within a graph. */
export function total(name: string, label: string, metrics: readonly IMetric[]): MathExpression {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`${name}${index}`, metric]));
  return perMinute(label, filledSum(usingMetrics), usingMetrics);
}

export function filledSum(usingMetrics: Record<string, IMetric>): string {
  return Object.keys(usingMetrics)
    .map((metric) => `FILL(${metric}, 0)`)
    .join(" + ");
}
