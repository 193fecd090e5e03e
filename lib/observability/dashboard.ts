import { Duration, Stack } from "aws-cdk-lib";
import type { Stage } from "aws-cdk-lib/aws-apigateway";
import {
  Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  LogQueryVisualizationType,
  LogQueryWidget,
  MathExpression,
  Metric,
  SingleValueWidget,
} from "aws-cdk-lib/aws-cloudwatch";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";
import { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { problemCodes } from "../../functions/problem.ts";
import { metricsNamespace } from "../shared/serviceAlarm.ts";
import { serviceFunctionsIn } from "../shared/serviceFunction.ts";
import { latenessMetric } from "../webhooks/webhooks.ts";
import type { Observed, ObservedMetrics } from "./observedMetrics.ts";

/** Three graphs fill a row. */
const size = { width: 8, height: 6 };
const period = Duration.minutes(5);

/** The stage's dashboard, named like its stack and region: objectives first, then requests, usage, the table, functions and queues. */
export function addDashboard(scope: Construct, metrics: ObservedMetrics, { api, tableName, feed }: Observed): void {
  const { stackName, region, node } = Stack.of(scope);
  const alarms = node.findAll().filter((part) => part instanceof Alarm);
  new Dashboard(scope, "Dashboard", {
    // Names of dashboards are global within an account.
    dashboardName: `${stackName}-${region}`,
    defaultInterval: Duration.hours(12),
    widgets: [
      [new AlarmStatusWidget({ title: "Alarms", alarms, width: 3 * size.width, height: 4 })],
      serviceLevelWidgets(api.gateway.deploymentStage),
      requestGraphs(scope, metrics),
      [usageWidget(api.accessLog)],
      operationGraphs(scope),
      tableGraphs(scope, metrics, tableName),
      functionGraphs(scope, metrics),
      queueGraphs(Stack.of(feed), metrics, latenessMetric(scope)),
    ],
  });
}

function requestGraphs(scope: Construct, metrics: ObservedMetrics): GraphWidget[] {
  const { requests, unauthorized, throttledRequests, blockedRequests, latencyMs, serverErrors } = metrics;
  const statuses = new Set(Object.values(problemCodes).map(({ status }) => status));
  return [
    graph("Requests", [
      requests,
      unauthorized.with({ label: "401" }),
      throttledRequests.with({ label: "429 by the stage's limit" }),
      ...(blockedRequests ? [blockedRequests] : []),
    ]),
    graph("Latency, ms", [
      latencyMs.with({ statistic: "p50", label: "p50" }),
      latencyMs.with({ statistic: "p99", label: "p99" }),
    ]),
    graph("Errors by status", [
      serverErrors.with({ label: "5xx, including the gateway's own" }),
      ...[...statuses].map((status) => overOperations(scope, `status_${status}`, String(status))),
    ]),
  ];
}

/** One function serves one operation, so Lambda's own metrics count its calls and durations. */
function operationGraphs(scope: Construct): GraphWidget[] {
  const functions = [...serviceFunctionsIn(Stack.of(scope))];
  return [
    graph(
      "Calls by operation",
      functions.map(([label, own]) => own.metricInvocations({ label })),
    ),
    graph(
      "p99 by operation, ms",
      functions.map(([label, own]) => own.metricDuration({ label, statistic: "p99" })),
    ),
    graph("Cold starts by operation", [byOperation(scope, "cold_start", "Sum")]),
  ];
}

function tableGraphs(scope: Construct, metrics: ObservedMetrics, TableName: string): GraphWidget[] {
  const ofTable = (metricName: string, label: string) =>
    new Metric({ namespace: "AWS/DynamoDB", metricName, dimensionsMap: { TableName }, label, statistic: "Sum" });
  return [
    graph("DynamoDB calls per request, by operation", [byOperation(scope, "dynamodb_calls", "Average")]),
    graph("DynamoDB units by operation", [byOperation(scope, "dynamodb_units", "Sum")]),
    graph("Table", [
      ofTable("ConsumedReadCapacityUnits", "read units, without indexes"),
      ofTable("ConsumedWriteCapacityUnits", "write units, without indexes"),
      metrics.tableThrottles,
      metrics.indexThrottles,
      metrics.tableErrors,
    ]),
  ];
}

function functionGraphs(scope: Construct, metrics: ObservedMetrics): GraphWidget[] {
  const functions = [...serviceFunctionsIn(Stack.of(scope))];
  return [
    graph("Lambda", [
      metrics.accountThrottles.with({ label: "account throttles" }),
      metrics.authorizerErrors,
      new Metric({ namespace: "AWS/Lambda", metricName: "ConcurrentExecutions", statistic: "Maximum" }),
    ]),
    graph(
      "Errors by function",
      functions.map(([label, own]) => own.metricErrors({ label })),
    ),
    graph("Streams", [
      metrics.summariesAgeMs.with({ label: "age of the changes being counted, ms" }),
      metrics.pipeFailures,
    ]),
  ];
}

/** @param stack the one with the queues. */
function queueGraphs(stack: Stack, { unauthorizedPercent }: ObservedMetrics, lateness: Metric): GraphWidget[] {
  const queues = stack.node.findAll().filter((part) => part instanceof Queue);
  const label = ({ node }: Queue) => node.path.slice(stack.node.path.length + 1);
  return [
    graph(
      "Waiting messages",
      queues.map((queue) => queue.metricApproximateNumberOfMessagesVisible({ label: label(queue) })),
    ),
    graph("Age of the oldest message, s", [
      ...queues.map((queue) => queue.metricApproximateAgeOfOldestMessage({ label: label(queue) })),
      lateness.with({ label: "webhooks, late because of us" }),
    ]),
    graph("401s", [unauthorizedPercent]),
  ];
}

function graph(title: string, metrics: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left: metrics, period, ...size, liveData: true, leftYAxis: { min: 0 } });
}

/** One line for each operation that has the metric. */
function byOperation(scope: Construct, metricName: string, statistic: "Average" | "Sum"): MathExpression {
  return new MathExpression({ label: "", expression: searchFor(scope, metricName, statistic), period });
}

function overOperations(scope: Construct, metricName: string, label: string): MathExpression {
  return new MathExpression({ label, expression: `SUM(${searchFor(scope, metricName, "Sum")})`, period });
}

function searchFor(scope: Construct, metricName: string, statistic: string): string {
  return `SEARCH('{"${metricsNamespace(scope)}","operation_id"} MetricName="${metricName}"', '${statistic}')`;
}

/** The objectives, in percent of requests. docs/operators/logs-and-metrics.md has their reasons. */
export const objectives = { available: 99.9, fast: 99, fastMs: 1_000 } as const;

const window = { start: "-P28D", setPeriodToTimeRange: true };
const height = 4;
const usageHeight = 8;
const rowWidth = 24;

/** The service levels over 28 days, and the share of the error budget that is left: 100 % if nothing failed, negative if it is used up. */
function serviceLevelWidgets(stage: Stage): IWidget[] {
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
function usageWidget(accessLog: ILogGroup): IWidget {
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
