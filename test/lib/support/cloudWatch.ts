import assert from "node:assert/strict";
import { runInNewContext } from "node:vm";
import type { Json, Template } from "./synthesise.ts";

/** One number that was sent to CloudWatch. */
export interface Sample {
  namespace: string;
  name: string;
  dimensions: Record<string, string>;
  minute: number;
  value: number;
}

type State = "OK" | "ALARM";

/**
 * The state of an alarm of the template at the end of a minute, by "Alarm evaluation" in the CloudWatch user guide: it counts the bad periods
 * among the latest ones. If some have no data, CloudWatch may look at a few periods more; the guide does not say how many.
 */
export function stateOf(template: Template, alarm: Json, samples: Sample[], minute: number): State {
  const { EvaluationPeriods, DatapointsToAlarm = EvaluationPeriods, Threshold, TreatMissingData } = alarm;
  assert.equal(alarm.ComparisonOperator, "GreaterThanThreshold");
  const isMissingBad = TreatMissingData === "breaching";
  assert.ok(isMissingBad || TreatMissingData === "notBreaching");
  const length = periodMinutes(alarm);
  const periods = Array.from({ length: EvaluationPeriods }, (_, periodsAgo) => {
    const last = minute - periodsAgo * length;
    return samples.filter((sample) => sample.minute > last - length && sample.minute <= last);
  });
  const values = periods.map((period) => watchedValue(template, alarm, period));
  const bad = values.filter((value) => (value === undefined ? isMissingBad : value > Threshold));
  return bad.length >= DatapointsToAlarm ? "ALARM" : "OK";
}

/** The period of an alarm, which all of its metrics share. */
export function periodMinutes({ Period, Metrics = [] }: Json): number {
  const periods = new Set<number>(
    [Period, ...Metrics.map(({ MetricStat }: Json) => MetricStat?.Period)].filter((one) => one !== undefined),
  );
  const [seconds, ...others] = periods;
  assert.ok(seconds !== undefined && others.length === 0 && seconds % 60 === 0);
  return seconds / 60;
}

/** The value of one period that an alarm compares with its threshold; undefined if it has no data. */
function watchedValue(template: Template, alarm: Json, samples: Sample[]): number | undefined {
  if (!alarm.Metrics) {
    const { Namespace, MetricName, Dimensions = [], Statistic, ExtendedStatistic } = alarm;
    const metric = { Namespace, MetricName, Dimensions };
    return statisticOf(template, { Metric: metric, Stat: Statistic ?? ExtendedStatistic }, samples);
  }
  assert.ok(alarm.Metrics.length <= 10, "CloudWatch allows at most 10 metrics.");
  const [result, ...others] = alarm.Metrics.filter(({ ReturnData }: Json) => ReturnData !== false);
  assert.deepEqual(others, []);
  const inputs = alarm.Metrics.filter(({ MetricStat }: Json) => MetricStat);
  const variables = inputs.map(({ Id, MetricStat }: Json) => [Id, statisticOf(template, MetricStat, samples)]);
  return calculate(result.Expression, Object.fromEntries(variables));
}

/** The part of metric math that this project uses: numbers of one period, with operators that JavaScript also has. */
export function calculate(expression: string, variables: Record<string, number | undefined>): number | undefined {
  const unfilled = expression.replaceAll(/FILL\(\w+, -?[\d.]+\)/g, "");
  const needed = Object.keys(variables).filter((name) => new RegExp(`\\b${name}\\b`).test(unfilled));
  if (needed.some((name) => variables[name] === undefined)) return undefined;
  const functions = {
    FILL: (value: number | undefined, filling: number) => value ?? filling,
    MAX: (values: number[]) => Math.max(...values),
    IF: (condition: boolean, value: number, other: number) => (condition ? value : other),
  };
  const value = runInNewContext(expression, { ...variables, ...functions });
  return Number.isFinite(value) ? value : undefined;
}

/** A statistic of exactly this metric over the samples of one period; undefined if there are none. */
function statisticOf(template: Template, stat: Json, samples: Sample[]): number | undefined {
  const { Metric, Stat } = stat;
  const dimensions = (Metric.Dimensions ?? []).map(({ Name, Value }: Json) => [Name, nameIn(template, Value)]);
  const id = metricId(Metric.Namespace, Metric.MetricName, Object.fromEntries(dimensions));
  const values = samples
    .filter((sample) => sample.name === Metric.MetricName)
    .filter(({ namespace, name, dimensions }) => metricId(namespace, name, dimensions) === id)
    .map(({ value }) => value)
    .toSorted((one, other) => one - other);
  return values.length === 0 ? undefined : statistic(Stat, values);
}

function metricId(namespace: string, name: string, dimensions: Record<string, string>): string {
  return JSON.stringify([namespace, name, Object.entries(dimensions).sort()]);
}

/** @param values in ascending order, at least one. */
function statistic(name: string, values: number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  const percent = Number(/^p(\d+)$/.exec(name)?.[1]);
  if (percent > 0) return values[Math.ceil((percent / 100) * values.length) - 1] ?? Number.NaN;
  const known: Record<string, number> = { Sum: sum, Average: sum / values.length, Maximum: values.at(-1) ?? 0 };
  return known[name] ?? assert.fail(`Unknown statistic ${name}.`);
}

/** A resource's name when deployed: the one that the template gives it, or else its logical id. */
function nameIn(template: Template, value: Json): string {
  if (typeof value === "string") return value;
  const id = value.Ref ?? value["Fn::GetAtt"][0];
  if (id === "AWS::Region") return id;
  const { Type, Properties } = template.Resources[id];
  if (value["Fn::GetAtt"]) assert.deepEqual([Type, value["Fn::GetAtt"][1]], ["AWS::SQS::Queue", "QueueName"]);
  return Properties.StageName ?? Properties.TableName ?? Properties.Name ?? id;
}
