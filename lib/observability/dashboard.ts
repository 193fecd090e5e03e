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
import { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";
import { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { problemCodes } from "../../functions/problem.ts";
import { unauthorizedMetric } from "../api/requestAlarms.ts";
import type { RestApi } from "../api/restApi.ts";
import type { DataStack } from "../dataStack.ts";
import { metricsNamespace, sum } from "../shared/metrics.ts";
import { serviceFunctionsIn } from "../shared/serviceFunction.ts";

const rowWidth = 24;
const size = { width: rowWidth / 3, height: 6 };
const period = Duration.minutes(5);

/** The stage's dashboard, named like its stack and region: objectives first, then requests, usage, the table, functions and queues. */
export function addDashboard(scope: Construct, api: RestApi, dataStack: DataStack): void {
  const { stackName, region } = Stack.of(scope);
  const alarms = alarmsIn(scope);
  new Dashboard(scope, "Dashboard", {
    // Names of dashboards are global within an account.
    dashboardName: `${stackName}-${region}`,
    defaultInterval: Duration.hours(12),
    widgets: [
      [new AlarmStatusWidget({ title: "Alarms", alarms, width: rowWidth, height: 4 })],
      serviceLevelWidgets(api.gateway.deploymentStage),
      requestGraphs(scope, api.gateway.deploymentStage),
      [usageWidget(api.accessLog)],
      operationGraphs(scope),
      tableGraphs(scope, dataStack.data.table.tableName),
      functionGraphs(scope),
      queueGraphs(scope, dataStack),
    ],
  });
}

function alarmsIn(scope: Construct): Alarm[] {
  return Stack.of(scope)
    .node.findAll()
    .filter((part) => part instanceof Alarm);
}

function watched(scope: Construct, section: string, label?: string): IMetric {
  const metric = alarmsIn(scope).find(({ node }) => node.id === section)?.metric;
  if (!metric) throw new Error(`The alarm ${section} does not exist.`);
  return label !== undefined && metric instanceof Metric ? metric.with({ label }) : metric;
}

function requestGraphs(scope: Construct, stage: Stage): GraphWidget[] {
  const statuses = new Set(Object.values(problemCodes).map(({ status }) => status));
  const unauthorized = { namespace: metricsNamespace(scope), metricName: unauthorizedMetric, ...sum };
  const hasWebAcl = alarmsIn(scope).some(({ node }) => node.id === "blocked-requests");
  return [
    graph("Requests", [
      stage.metricCount(sum),
      new Metric({ ...unauthorized, label: "401" }),
      watched(scope, "throttled-requests", "429 by the stage's limit"),
      ...(hasWebAcl ? [watched(scope, "blocked-requests")] : []),
    ]),
    graph(
      "Latency, ms",
      ["p50", "p99"].map((statistic) => stage.metricLatency({ ...sum, statistic, label: statistic })),
    ),
    graph("Errors by status", [
      stage.metricServerError({ ...sum, label: "5xx, including the gateway's own" }),
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

function tableGraphs(scope: Construct, TableName: string): GraphWidget[] {
  const ofTable = (metricName: string, label: string) =>
    new Metric({ namespace: "AWS/DynamoDB", metricName, dimensionsMap: { TableName }, label, statistic: "Sum" });
  return [
    graph("DynamoDB calls per request, by operation", [byOperation(scope, "dynamodb_calls", "Average")]),
    graph("DynamoDB units by operation", [byOperation(scope, "dynamodb_units", "Sum")]),
    graph("Table", [
      ofTable("ConsumedReadCapacityUnits", "read units, without indexes"),
      ofTable("ConsumedWriteCapacityUnits", "write units, without indexes"),
      ...["table-throttles", "index-throttles"].map((section) => watched(scope, section)),
    ]),
  ];
}

function functionGraphs(scope: Construct): GraphWidget[] {
  const functions = [...serviceFunctionsIn(Stack.of(scope))];
  return [
    graph("Lambda", [
      // The whole account's, because all of its functions share one concurrency pool.
      LambdaFunction.metricAllThrottles({ ...sum, label: "account throttles" }),
      watched(scope, "authorizer-errors"),
      new Metric({ namespace: "AWS/Lambda", metricName: "ConcurrentExecutions", statistic: "Maximum" }),
    ]),
    graph(
      "Errors by function",
      functions.map(([label, own]) => own.metricErrors({ label })),
    ),
    graph("Streams", [
      watched(scope, "table-stream-age", "age of the changes being counted, ms"),
      watched(scope, "outgoing-events-failures"),
    ]),
  ];
}

/** @param stack the one with the queues. */
function queueGraphs(scope: Construct, { node }: Stack): GraphWidget[] {
  const queues = node.findAll().filter((part) => part instanceof Queue);
  const label = (queue: Queue) => queue.node.path.slice(node.path.length + 1);
  return [
    graph(
      "Waiting messages",
      queues.map((queue) => queue.metricApproximateNumberOfMessagesVisible({ label: label(queue) })),
    ),
    graph("Age of the oldest message, s", [
      ...queues.map((queue) => queue.metricApproximateAgeOfOldestMessage({ label: label(queue) })),
      watched(scope, "webhooks-late", "webhooks, delay caused by us"),
    ]),
    graph("401s", [watched(scope, "unauthorized-surge")]),
  ];
}

function graph(title: string, metrics: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left: metrics, period, ...size, liveData: true, leftYAxis: { min: 0 } });
}

function byOperation(scope: Construct, metricName: string, statistic: "Average" | "Sum"): MathExpression {
  return new MathExpression({ label: "", expression: searchFor(scope, metricName, statistic), period });
}

function overOperations(scope: Construct, metricName: string, label: string): MathExpression {
  return new MathExpression({ label, expression: `SUM(${searchFor(scope, metricName, "Sum")})`, period });
}

function searchFor(scope: Construct, metricName: string, statistic: string): string {
  return `SEARCH('{"${metricsNamespace(scope)}","operation_id"} MetricName="${metricName}"', '${statistic}')`;
}

/** The service levels over 28 days, with their objectives. docs/operators/commands.md has the reasons. */
function serviceLevelWidgets(stage: Stage): IWidget[] {
  const requests = stage.metricCount({ statistic: "Sum" });
  const failures = stage.metricServerError({ statistic: "Sum" });
  const available = new MathExpression({
    label: "available",
    expression: "100 * (1 - failures / requests)",
    usingMetrics: { failures, requests },
  });
  const fast = stage.metricLatency({ statistic: "PR(:1000)", label: "fast" });
  return [
    serviceLevel("Requests without a 5xx over 28 days, %: objective 99.9", available),
    serviceLevel("Requests within 1000 ms over 28 days, %: objective 99", fast),
  ];
}

function serviceLevel(title: string, metric: IMetric): SingleValueWidget {
  const window = { start: "-P28D", setPeriodToTimeRange: true };
  return new SingleValueWidget({ title, metrics: [metric], ...window, width: rowWidth / 2, height: 4 });
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
    height: 8,
  });
}
