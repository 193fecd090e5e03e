import type { Stage } from "aws-cdk-lib/aws-apigateway";
import {
  type IMetric,
  type IWidget,
  LogQueryVisualizationType,
  LogQueryWidget,
  MathExpression,
  SingleValueWidget,
} from "aws-cdk-lib/aws-cloudwatch";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";

/** The objectives, in percent of requests. docs/operators/runbook.md has their reasons. */
export const objectives = { available: 99.9, fast: 99, fastMs: 1_000 } as const;

const window = { start: "-P28D", setPeriodToTimeRange: true };
const height = 4;
const usageHeight = 8;
const rowWidth = 24;

/** The service levels over 28 days, and the share of the error budget that is left: 100 % if nothing failed, negative if it is used up. */
export function serviceLevelWidgets(stage: Stage): IWidget[] {
  const { available, fast, fastMs } = objectives;
  const requests = stage.metricCount({ statistic: "Sum" });
  const failures = stage.metricServerError({ statistic: "Sum" });
  const share = stage.metricLatency({ statistic: `PR(:${fastMs})` });
  const count = { failures, requests };
  return [
    value(`Requests without a 5xx over 28 days, %: objective ${available}`, [
      math("available", "100 * (1 - failures / requests)", count),
    ]),
    value("Error budget left for 5xx, %", [
      math("left", `100 * (1 - (failures / requests) / ${roundedShare(available)})`, count),
    ]),
    value(`Requests within ${fastMs} ms over 28 days, %: objective ${fast}`, [share.with({ label: "fast" })]),
    value("Error budget left for slow requests, %", [
      math("left", `100 * (1 - (1 - share / 100) / ${roundedShare(fast)})`, { share }),
    ]),
  ];
}

/** The organisations with the most requests, from the access log: a metric for each organisation would cost more with each customer. */
export function usageWidget(accessLog: ILogGroup): IWidget {
  return new LogQueryWidget({
    title: "Requests by organisation, the 20 largest",
    logGroupNames: [accessLog.logGroupName],
    view: LogQueryVisualizationType.TABLE,
    queryLines: [
      'filter organisation_id != "-"',
      "stats count(*) as requests, pct(latency_ms, 99) as p99_ms by organisation_id",
      "sort requests desc",
      "limit 20",
    ],
    width: rowWidth,
    height: usageHeight,
  });
}

/** The share of requests that may miss an objective, without the error of binary fractions. */
function roundedShare(objective: number): number {
  return Math.round((100 - objective) * 100) / 10_000;
}

function math(label: string, expression: string, usingMetrics: Record<string, IMetric>): MathExpression {
  return new MathExpression({ label, expression, usingMetrics });
}

function value(title: string, metrics: IMetric[]): SingleValueWidget {
  return new SingleValueWidget({ title, metrics, ...window, width: rowWidth / 4, height });
}
