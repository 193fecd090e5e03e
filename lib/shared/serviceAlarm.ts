import { Duration, Stack } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, type IMetric, MathExpression, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { Construct } from "constructs";
import { alarmPeriod } from "./metrics.ts";

interface ServiceAlarmProps {
  meaning: string;
  metric: IMetric;
  above: number;
  /** The metric's period, by default a minute. */
  period?: Duration;
  /** The number of bad minutes that raise the alarm ... */
  badMinutes?: number;
  /** ... out of this number of minutes. */
  ofMinutes?: number;
  /** Periods without data are good by default, since most metrics have data only when something happens. */
  isMissingBad?: boolean;
}

/**
 * Adds an alarm. By default, three bad minutes of five raise it: one bad minute passes before anyone could react, and intermittent failures
 * are noticed too.
 * @param section the alarm's section in the runbook, and the end of its name: `feed-age` in `ticketing-prod-feed-age`.
 */
export function serviceAlarm(
  scope: Construct,
  section: string,
  { meaning, metric, above, period = alarmPeriod, badMinutes = 3, ofMinutes = 5, isMissingBad }: ServiceAlarmProps,
): void {
  new Alarm(scope, section, {
    alarmName: alarmName(scope, section),
    alarmDescription: `${meaning} docs/operators/runbook.md#${section} says what to do.`,
    metric,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    threshold: above,
    evaluationPeriods: ofMinutes / period.toMinutes(),
    datapointsToAlarm: badMinutes / period.toMinutes(),
    treatMissingData: isMissingBad ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
  });
}

/**
 * Work at the end of one window is consumed in the next, which makes one window bad, so an alarm needs several. CloudWatch's data is a minute or
 * two late, which a window of one minute would mistake for a stopped consumer.
 */
const comparedPeriod = Duration.minutes(5);
export const comparedSum = { statistic: "Sum", period: comparedPeriod };

/**
 * Adds an alarm for a consumer that has stopped; other alarms detect failures. Half an hour is long enough for periods with little
 * work.
 * @param stopped.condition is true for a window with work but no consumer.
 */
export function stoppedAlarm(
  scope: Construct,
  section: string,
  stopped: { meaning: string; label: string; condition: string; usingMetrics: Record<string, IMetric> },
): void {
  const { meaning, label, condition, usingMetrics } = stopped;
  const expression = `IF(${condition}, 1, 0)`;
  serviceAlarm(scope, section, {
    meaning,
    metric: new MathExpression({ label, expression, usingMetrics, period: comparedPeriod }),
    above: 0,
    period: comparedPeriod,
    badMinutes: 15,
    ofMinutes: 30,
  });
}

/** The name is known before the alarm exists. */
export function alarmName(scope: Construct, section: string): string {
  return `${Stack.of(scope).stackName}-${section}`;
}

/** The scope of most alarms and the dashboard. */
export function observability(scope: Construct): Construct {
  const [id, stack] = ["Observability", Stack.of(scope)];
  const existing = stack.node.tryFindChild(id);
  return existing instanceof Construct ? existing : new Construct(stack, id);
}
