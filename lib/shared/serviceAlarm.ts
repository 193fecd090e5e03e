import { Duration, Stack } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, type IMetric, type Metric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { FilterPattern, type ILogGroup, MetricFilter } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";

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

/** The period of most alarms' metrics, the shortest that AWS offers for them. */
export const alarmPeriod = Duration.minutes(1);

export interface ServiceAlarmProps {
  /** The page in docs/operators with the alarm's section: `runbook` is about requests, `runbook-data` about data. */
  page: "runbook" | "runbook-data";
  /** What a raised alarm means, in one sentence. */
  meaning: string;
  metric: IMetric;
  /** A period above this value is bad. */
  above: number;
  /** The metric's period, by default a minute. */
  period?: Duration;
  /** The number of bad minutes that raise the alarm ... */
  badMinutes?: number;
  /** ... out of this number of minutes. */
  ofMinutes?: number;
  /** Whether periods without data are bad. By default they are good, since most metrics have data only when something happens. */
  isMissingBad?: boolean;
}

/**
 * Adds an alarm. By default, three bad minutes of five raise it: one bad minute passes before anyone could react, and intermittent failures
 * are noticed too.
 *
 * @param section the alarm's section in the runbook, and the end of its name: `feed-age` in `ticketing-prod-feed-age`.
 */
export function serviceAlarm(
  scope: Construct,
  section: string,
  {
    page,
    meaning,
    metric,
    above,
    period = alarmPeriod,
    badMinutes = 3,
    ofMinutes = 5,
    isMissingBad,
  }: ServiceAlarmProps,
): Alarm {
  return new Alarm(scope, section, {
    alarmName: alarmName(scope, section),
    alarmDescription: `${meaning} docs/operators/${page}.md#${section} says what to do.`,
    metric,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    threshold: above,
    evaluationPeriods: ofMinutes / period.toMinutes(),
    datapointsToAlarm: badMinutes / period.toMinutes(),
    treatMissingData: isMissingBad ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
}

/** The name is known before the alarm exists. */
export function alarmName(scope: Construct, section: string): string {
  return `${Stack.of(scope).stackName}-${section}`;
}
