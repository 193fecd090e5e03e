import { Stack } from "aws-cdk-lib";
import { type IMetric, MathExpression, Metric } from "aws-cdk-lib/aws-cloudwatch";
import { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { tableDefinition } from "../../functions/data/table/definition.ts";
import type { TableAction } from "../../functions/data/table/table.ts";
import type { RestApi } from "./restApi.ts";
import { alarmPeriod } from "./serviceAlarm.ts";
import { serviceFunctionsIn } from "./serviceFunction.ts";
import { accessLogCount } from "./serviceMetrics.ts";

/** What is watched. */
export interface Observed {
  api: RestApi;
  tableName: string;
  feed: Queue;
  /** The pipe's that takes what the API records to the event bus. */
  pipeName: string;
  /** What the web ACL refuses, by the minute, where there is one. */
  blockedRequests: IMetric | undefined;
}

const sum = { statistic: "Sum", period: alarmPeriod };
const maximum = { statistic: "Maximum", period: alarmPeriod };

/** Refusals a minute below which their share says nothing: one client that goes on with a wrong key makes as many. */
const fewRefusals = 50;

export type ObservedMetrics = ReturnType<typeof observedMetrics>;

/**
 * What alarms watch, by the minute, over all operations at once: CloudWatch allows an alarm ten metrics and no SEARCH, and an alarm for each
 * function would tell the same outage thirty times.
 *
 * @param scope gets the filters that count lines of the access log. Its stack has all of the service's functions.
 */
export function observedMetrics(scope: Construct, { api, tableName, feed, pipeName, blockedRequests }: Observed) {
  const stage = api.gateway.deploymentStage;
  const functions = serviceFunctionsIn(Stack.of(scope));
  const functionNamed = (name: string) => {
    const found = functions.get(name);
    if (!found) throw new Error(`There is no function ${name}.`);
    return found;
  };
  const requests = stage.metricCount(sum);
  const unauthorized = accessLogCount(scope, "Unauthorized", api.accessLog, { field: "status", value: "401" });
  const authorizers = ["apiKeyAuthorizer", "superAdminAuthorizer"].map((name) => functionNamed(name).metricErrors(sum));
  return {
    requests,
    unauthorized,
    /** Of all requests, 0 to 1: the gateway gives every request a 0 or a 1. */
    serverErrorRate: stage.metricServerError({ statistic: "Average", period: alarmPeriod }),
    latencyMs: stage.metricLatency({ statistic: "p99", period: alarmPeriod }),
    unauthorizedPercent: new MathExpression({
      label: "401s, % of requests",
      expression: `IF(unauthorized >= ${fewRefusals}, 100 * unauthorized / requests, 0)`,
      usingMetrics: { unauthorized, requests },
      period: alarmPeriod,
    }),
    blockedRequests,
    /** By the stage's own limit, not by the web ACL. */
    throttledRequests: accessLogCount(scope, "Throttled", api.accessLog, { field: "error_type", value: "THROTTLED" }),
    authorizerErrors: total("authorizers", "Authorizer errors", authorizers),
    /** Of the whole account: all of its functions take from one pool, and one that empties it takes from every other. */
    functionThrottles: LambdaFunction.metricAllThrottles(sum),
    feedAgeSeconds: feed.metricApproximateAgeOfOldestMessage(maximum),
    summariesAgeMs: functionNamed("summaries").metric("IteratorAge", maximum),
    pipeFailures: total("pipe", "Failures of the pipe", pipeMetrics(pipeName)),
    tableThrottles: total("throttles", "Throttled reads and writes", throttleMetrics(tableName)),
    tableErrors: total("errors", "System errors of DynamoDB", systemErrorMetrics(tableName)),
  };
}

/**
 * A sum of counts. What is not there counts as 0: AWS sends most of them only where there is something to count.
 * @param name begins the metrics' ids, of which a graph may have none twice.
 */
function total(name: string, label: string, metrics: IMetric[]): MathExpression {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`${name}${index}`, metric]));
  const terms = Object.keys(usingMetrics).map((metric) => `FILL(${metric}, 0)`);
  return new MathExpression({ label, expression: terms.join(" + "), usingMetrics, period: alarmPeriod });
}

/** A pipe tells nothing of its place in the stream. It falls behind only where it fails, or waits its turn, and both are told. */
function pipeMetrics(PipeName: string): Metric[] {
  return ["ExecutionFailed", "ExecutionPartiallyFailed", "ExecutionThrottled", "ExecutionTimeout"].map(
    (metricName) => new Metric({ namespace: "AWS/EventBridge/Pipes", metricName, dimensionsMap: { PipeName }, ...sum }),
  );
}

/** An index that is throttled holds up writes to the table, and is counted apart. */
function throttleMetrics(TableName: string): Metric[] {
  const indexes = tableDefinition.indexes.map(({ indexName }) => ({ GlobalSecondaryIndexName: indexName }));
  return [{}, ...indexes].flatMap((index) =>
    ["ReadThrottleEvents", "WriteThrottleEvents"].map((metricName) =>
      dynamoDbMetric(metricName, { TableName, ...index }),
    ),
  );
}

const tableActions = {
  BatchGetItem: true,
  BatchWriteItem: true,
  GetItem: true,
  PutItem: true,
  Query: true,
  TransactWriteItems: true,
  UpdateItem: true,
} satisfies Record<TableAction, true>;

function systemErrorMetrics(TableName: string): Metric[] {
  return Object.keys(tableActions).map((Operation) => dynamoDbMetric("SystemErrors", { TableName, Operation }));
}

function dynamoDbMetric(metricName: string, dimensionsMap: Record<string, string>): Metric {
  return new Metric({ namespace: "AWS/DynamoDB", metricName, dimensionsMap, ...sum });
}
