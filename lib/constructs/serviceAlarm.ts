import { Duration, Stack } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import type { Construct } from "constructs";

/** The period of every alarm's metrics: the shortest for which AWS gives them. */
export const alarmPeriod = Duration.minutes(1);

export interface ServiceAlarmProps {
  /** What it means that it is raised: one sentence. */
  meaning: string;
  /** By the minute. */
  metric: IMetric;
  /** A minute above this is a bad one. */
  above: number;
  /** Raised by so many bad minutes ... */
  badMinutes?: number;
  /** ... of so many. */
  ofMinutes?: number;
}

/**
 * An alarm, raised by three bad minutes of five where nothing else is said: a single one passes before anybody could look, and what
 * comes and goes is noticed too. Minutes without data are good ones, since the metrics that alarms watch are only there where something happens.
 *
 * @param section the alarm's section of docs/operators/runbook.md, and its name: `feed-age` is `ticketing-prod-feed-age`.
 */
export function serviceAlarm(
  scope: Construct,
  section: string,
  { meaning, metric, above, badMinutes = 3, ofMinutes = 5 }: ServiceAlarmProps,
): Alarm {
  return new Alarm(scope, section, {
    alarmName: alarmName(scope, section),
    alarmDescription: `${meaning} docs/operators/runbook.md#${section} says what to do.`,
    metric,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    threshold: above,
    evaluationPeriods: ofMinutes,
    datapointsToAlarm: badMinutes,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}

/** A name that is known before the alarm is there. */
export function alarmName(scope: Construct, section: string): string {
  return `${Stack.of(scope).stackName}-${section}`;
}
