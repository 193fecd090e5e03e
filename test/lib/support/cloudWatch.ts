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
  assert.equal(TreatMissingData, "notBreaching");
  const minutes = Array.from({ length: EvaluationPeriods }, (_, periodsAgo) => minute - periodsAgo);
  const values = minutes.map((one) => watchedValue(template, alarm, samples, one));
  return values.filter((value) => value !== undefined && value > Threshold).length >= DatapointsToAlarm
    ? "ALARM"
    : "OK";
}

/** The value of one minute that an alarm compares with its threshold; undefined if it has no data. */
function watchedValue(template: Template, alarm: Json, samples: Sample[], minute: number): number | undefined {
  if (!alarm.Metrics) {
    const { Namespace, MetricName, Dimensions = [], Period, Statistic, ExtendedStatistic } = alarm;
    const metric = { Namespace, MetricName, Dimensions };
    return statisticOf(template, { Metric: metric, Period, Stat: Statistic ?? ExtendedStatistic }, samples, minute);
  }
  assert.ok(alarm.Metrics.length <= 10, "CloudWatch allows at most 10 metrics.");
  const [result, ...others] = alarm.Metrics.filter(({ ReturnData }: Json) => ReturnData !== false);
  assert.deepEqual(others, []);
  const inputs = alarm.Metrics.filter(({ MetricStat }: Json) => MetricStat);
  const variables = inputs.map(({ Id, MetricStat }: Json) => [Id, statisticOf(template, MetricStat, samples, minute)]);
  return calculate(result.Expression, Object.fromEntries(variables));
}

/** The part of metric math that our alarms use: numbers of one minute, with operators that JavaScript also has. */
function calculate(expression: string, variables: Record<string, number | undefined>): number | undefined {
  const unfilled = expression.replaceAll(/FILL\(\w+, [\d.]+\)/g, "");
  const needed = Object.keys(variables).filter((name) => new RegExp(`\\b${name}\\b`).test(unfilled));
  if (needed.some((name) => variables[name] === undefined)) return undefined;
  const functions = {
    FILL: (value: number | undefined, filling: number) => value ?? filling,
    IF: (condition: boolean, value: number, other: number) => (condition ? value : other),
  };
  const value = runInNewContext(expression, { ...variables, ...functions });
  return Number.isFinite(value) ? value : undefined;
}

/** A statistic of exactly this metric in one minute; undefined if there are no samples. */
function statisticOf(template: Template, stat: Json, samples: Sample[], minute: number): number | undefined {
  const { Metric, Period, Stat } = stat;
  assert.equal(Period, 60);
  const dimensions = (Metric.Dimensions ?? []).map(({ Name, Value }: Json) => [Name, nameIn(template, Value)]);
  const id = metricId(Metric.Namespace, Metric.MetricName, Object.fromEntries(dimensions));
  const values = samples
    .filter((sample) => sample.minute === minute && sample.name === Metric.MetricName)
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
export function nameIn(template: Template, value: Json): string {
  if (typeof value === "string") return value;
  const id = value.Ref ?? value["Fn::GetAtt"][0];
  if (id === "AWS::Region") return id;
  const { Type, Properties } = template.Resources[id];
  if (value["Fn::GetAtt"]) assert.deepEqual([Type, value["Fn::GetAtt"][1]], ["AWS::SQS::Queue", "QueueName"]);
  return Properties.StageName ?? Properties.TableName ?? Properties.Name ?? id;
}
