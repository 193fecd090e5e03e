import assert from "node:assert/strict";
import { compileFunction } from "node:vm";
import { type Json, resourcesOf, type Template } from "./synthesise.ts";

/** The values of the metrics of one period, by their ids in an expression. Metrics without data are left out. */
export type Values = Record<string, number>;

/** The alarms, by their sections of the runbook. */
export function alarmsOf(from: Template): Map<string, Json> {
  const all = resourcesOf(from, "AWS::CloudWatch::Alarm").map(([, { Properties }]) => Properties);
  return new Map(all.map((alarm) => [String(/#([\w-]+) /.exec(alarm.AlarmDescription)?.[1]), alarm]));
}

/** Evaluates an alarm at the end of these periods, by "Alarm evaluation" in the CloudWatch user guide. */
export function isRaised(alarm: Json, periods: readonly Values[]): boolean {
  const bad = periods.slice(-alarm.EvaluationPeriods).filter((values) => isBad(alarm, values));
  return bad.length >= alarm.DatapointsToAlarm;
}

/** Evaluates one period of an alarm with an expression. */
export function isBad({ Metrics, Threshold, TreatMissingData }: Json, values: Values): boolean {
  const ids = Metrics.flatMap(({ Id, MetricStat }: Json) => (MetricStat ? Id : []));
  for (const name of Object.keys(values)) assert.ok(ids.includes(name), name);
  const known: Record<string, number | undefined> = Object.fromEntries(ids.map((id: string) => [id, values[id]]));
  const value = calculate(Metrics.find(({ Expression }: Json) => Expression).Expression, known);
  return value === undefined ? TreatMissingData === "breaching" : value > Threshold;
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
  const known = { ...variables, ...functions };
  const value = compileFunction(`return ${expression}`, Object.keys(known))(...Object.values(known));
  return Number.isFinite(value) ? value : undefined;
}
