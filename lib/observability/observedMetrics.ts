import { Duration, Stack } from "aws-cdk-lib";
import { type IMetric, MathExpression, Metric } from "aws-cdk-lib/aws-cloudwatch";
import { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { testWebhook } from "../../functions/endpoints/testWebhook.ts";
import { damagedItems } from "../../functions/log/measurements.ts";
import { tableDefinition } from "../../functions/table/definition.ts";
import { tableActions } from "../../functions/table/table.ts";
import type { RestApi } from "../api/restApi.ts";
import { accessLogCount, alarmPeriod, metricsNamespace } from "../shared/serviceAlarm.ts";
import { type ServiceFunction, serviceFunctionsIn } from "../shared/serviceFunction.ts";

export interface Observed {
  api: RestApi;
  tableName: string;
  feed: Queue;
  /** The queue of files to import. */
  imports: Queue;
  /** The id of the mapping from the table's stream to the summaries. */
  summariesMapping: string;
  /** The pipe from the table's stream to the event bus. */
  pipeName: string;
  /** Requests blocked per minute; undefined without a web ACL. */
  blockedRequests: IMetric | undefined;
}

const sum = { statistic: "Sum", period: alarmPeriod };
const maximum = { statistic: "Maximum", period: alarmPeriod };

/** Below this many 401s a minute their share is ignored: one client with a wrong key can cause as many. */
const fewRefusals = 50;

/** Below this many requests a minute their latency is ignored. */
const fewRequests = 20;

/** A percentile that at least three slow requests reach, because one or two may have causes of their own. */
const latencyOfSeveral = "IF(requests >= 300, p99, IF(requests >= 60, p95, p90))";

/** Tests of webhooks wait for somebody else's receiver. In a minute with such tests, a percentile that they cannot reach counts. */
const latencyWithoutTests = `IF(tests == 0, ${latencyOfSeveral}, IF(tests < 0.1 * requests, p90, IF(tests < 0.5 * requests, p50, 0)))`;

/** Below this share of a minute's requests, failures are accidents, such as a machine of Lambda's that fails: one of 10,000. */
const accidents = 0.0001;

/** Below this many 5xx or lost keys a minute their share is ignored: at night, one may be more than 1 %. */
const fewErrors = 3;

export type ObservedMetrics = ReturnType<typeof observedMetrics>;

/**
 * The metrics that alarms watch, per minute and over all operations: CloudWatch allows ten metrics and no SEARCH in an alarm, and an alarm
 * per function would report the same outage thirty times.
 *
 * @param scope gets the metric filters of the access log. Its stack must contain all of the service's functions.
 */
export function observedMetrics(scope: Construct, observed: Observed) {
  const { api, tableName, feed, imports, summariesMapping, pipeName, blockedRequests } = observed;
  const functions = serviceFunctionsIn(Stack.of(scope));
  const functionNamed = (name: string) => {
    const found = functions.get(name);
    if (!found) throw new Error(`Function ${name} does not exist.`);
    return found;
  };
  const [ofKeys, ofPeople] = [functionNamed("apiKeyAuthorizer"), functionNamed("superAdminAuthorizer")];
  const errors = "(FILL(keys, 0) + FILL(people, 0))";
  const lost = { metricName: "lost_keys", dimensionsMap: { operation_id: "apiKeyAuthorizer" }, ...sum };
  return {
    ...gatewayMetrics(scope, api),
    lostKeysPercent: perMinute("Lost API keys, %", `IF(lost >= ${fewErrors}, 100 * lost / keys, 0)`, {
      lost: new Metric({ namespace: metricsNamespace(scope), ...lost }),
      keys: ofKeys.metricInvocations(sum),
    }),
    blockedRequests,
    authorizerErrors: perMinute("Authorizer errors", `IF(${errors} > ${accidents} * FILL(requests, 0), ${errors}, 0)`, {
      keys: ofKeys.metricErrors(sum),
      people: ofPeople.metricErrors(sum),
      requests: api.gateway.deploymentStage.metricCount(sum),
    }),
    /** Of the whole account, because all of its functions share one concurrency pool. */
    accountThrottles: LambdaFunction.metricAllThrottles(sum),
    feedAgeSeconds: feedAge(scope, feed),
    /** 1 in an hour without a message for the feed. SQS reports nothing of a queue that is not used. */
    feedSilentHours: new MathExpression({
      label: "Hours without records",
      expression: "IF(sent > 0, 0, 1)",
      usingMetrics: { sent: feed.metricNumberOfMessagesSent({ statistic: "Sum", period: Duration.hours(1) }) },
      period: Duration.hours(1),
    }),
    importAgeSeconds: imports.metricApproximateAgeOfOldestMessage(maximum),
    summariesAgeMs: functionNamed("summaries").metric("IteratorAge", maximum),
    summariesStopped: summariesStopped(tableName, summariesMapping),
    outgoingEventsStopped: outgoingEventsStopped(scope, functionNamed("outgoingEvents")),
    pipeFailures: total("pipe", "Failures of the pipe", pipeMetrics(pipeName)),
    tableThrottles: total("throttles", "Throttled reads, and writes of the table", [
      ...["ReadThrottleEvents", "WriteThrottleEvents"].map((name) => dynamoDbMetric(name, { TableName: tableName })),
      ...indexMetrics(tableName, "ReadThrottleEvents"),
    ]),
    indexThrottles: total("index", "Throttled writes of indexes", indexMetrics(tableName, "WriteThrottleEvents")),
    damagedItems: new Metric({
      namespace: metricsNamespace(scope),
      metricName: "damaged_items",
      dimensionsMap: { operation_id: damagedItems },
      ...sum,
    }),
    tableErrors: total("errors", "System errors of DynamoDB", systemErrorMetrics(tableName)),
  };
}

/** What the gateway and its access log count. */
function gatewayMetrics(scope: Construct, { gateway, accessLog }: RestApi) {
  const count = (name: string, ...anyOf: { field: string; value: string }[]) =>
    accessLogCount(scope, name, accessLog, ...anyOf);
  const stage = gateway.deploymentStage;
  const requests = stage.metricCount(sum);
  const serverErrors = stage.metricServerError(sum);
  const latency = (statistic: string) => stage.metricLatency({ statistic, period: alarmPeriod });
  /** Requests on which a function failed: an unexpected error is a 500, and a crash or a timeout fails the integration. */
  const failures = count(
    "FunctionFailures",
    { field: "status", value: "500" },
    { field: "error_type", value: "INTEGRATION_FAILURE" },
    { field: "error_type", value: "INTEGRATION_TIMEOUT" },
  );
  const unauthorized = count("Unauthorized", { field: "status", value: "401" });
  return {
    requests,
    serverErrors,
    serverErrorPercent: perMinute("5xx, % of requests", `IF(errors >= ${fewErrors}, 100 * errors / requests, 0)`, {
      errors: serverErrors,
      requests,
    }),
    functionFailures: perMinute("Function failures", `IF(failures > ${accidents} * requests, failures, 0)`, {
      failures,
      requests,
    }),
    latencyMs: latency("p99"),
    /** 0 while there are few requests, of which a single slow one would be the slowest hundredth. */
    latencyMsOfMany: perMinute(
      "Latency of the slowest requests, ms",
      `IF(requests >= ${fewRequests}, ${latencyWithoutTests}, 0)`,
      {
        ...{ p99: latency("p99"), p95: latency("p95"), p90: latency("p90"), p50: latency("p50") },
        requests,
        tests: count("WebhookTests", { field: "route", value: testWebhook.path }),
      },
    ),
    unauthorized,
    unauthorizedPercent: perMinute(
      "401s, % of requests",
      `IF(unauthorized >= ${fewRefusals}, 100 * unauthorized / requests, 0)`,
      { unauthorized, requests },
    ),
    /** Throttled by the stage's limit, not by the web ACL. */
    throttledRequests: count("Throttled", { field: "error_type", value: "THROTTLED" }),
    /**
     * Requests whose function or authorizer Lambda refused to start, by its status in
     * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-variables-for-access-logging.html
     */
    functionThrottles: count(
      "FunctionThrottles",
      { field: "integration_status", value: "429" },
      { field: "authorizer_status", value: "429" },
    ),
  };
}

function perMinute(label: string, expression: string, usingMetrics: Record<string, IMetric>): MathExpression {
  return new MathExpression({ label, expression, usingMetrics, period: alarmPeriod });
}

/** The rest of a message that was stored in part is a new message for SQS, so the consumer reports how long its records have waited. */
function feedAge(scope: Construct, feed: Queue): MathExpression {
  const waited = new Metric({
    namespace: metricsNamespace(scope),
    metricName: "waited",
    dimensionsMap: { operation_id: "feed" },
    ...maximum,
  });
  return new MathExpression({
    label: "Age of the oldest record in the feed, s",
    expression: "MAX([FILL(age, 0), FILL(waited, 0)])",
    usingMetrics: { age: feed.metricApproximateAgeOfOldestMessage(maximum), waited },
    period: alarmPeriod,
  });
}

/**
 * A sum of counts. Missing data counts as 0, because AWS sends most counts only when they are positive.
 * @param name the prefix of the metrics' ids, which must be unique within a graph.
 */
function total(name: string, label: string, metrics: IMetric[]): MathExpression {
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`${name}${index}`, metric]));
  const terms = Object.keys(usingMetrics).map((metric) => `FILL(${metric}, 0)`);
  return new MathExpression({ label, expression: terms.join(" + "), usingMetrics, period: alarmPeriod });
}

/** A pipe does not report its lag. It falls behind only if it fails or is throttled, and these metrics count both. */
function pipeMetrics(PipeName: string): Metric[] {
  return ["ExecutionFailed", "ExecutionPartiallyFailed", "ExecutionThrottled", "ExecutionTimeout"].map(
    (metricName) => new Metric({ namespace: "AWS/EventBridge/Pipes", metricName, dimensionsMap: { PipeName }, ...sum }),
  );
}

/** DynamoDB counts the throttling of indexes separately. */
function indexMetrics(TableName: string, metricName: string): Metric[] {
  return tableDefinition.indexes.map(({ indexName: GlobalSecondaryIndexName }) =>
    dynamoDbMetric(metricName, { TableName, GlobalSecondaryIndexName }),
  );
}

function systemErrorMetrics(TableName: string): Metric[] {
  return tableActions.map((Operation) => dynamoDbMetric("SystemErrors", { TableName, Operation }));
}

function dynamoDbMetric(metricName: string, dimensionsMap: Record<string, string>): Metric {
  return new Metric({ namespace: "AWS/DynamoDB", metricName, dimensionsMap, ...sum });
}

/**
 * The window in which work and its consumer are compared. Work at the end of one window is consumed in the next, which makes one window bad,
 * so an alarm needs several. CloudWatch's data is a minute or two late, which a window of one minute would mistake for a stopped consumer.
 */
export const comparedPeriod = Duration.minutes(5);
const comparedSum = { statistic: "Sum", period: comparedPeriod };

/** The operations whose successful requests become outgoing events. */
export const operationsWithEvents = ["recordBalancePayment", "updateOrder"] as const;

/**
 * 1 if the table is written while the mapping of its stream does not poll, otherwise 0. A mapping that polls without finding records reports
 * 0, so writes that change nothing are not mistaken for a stopped mapping
 * (https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html#event-source-mapping-metrics).
 */
function summariesStopped(TableName: string, EventSourceMappingUUID: string): MathExpression {
  const written = new Metric({
    namespace: "AWS/DynamoDB",
    metricName: "ConsumedWriteCapacityUnits",
    dimensionsMap: { TableName },
    ...comparedSum,
  });
  const polled = new Metric({
    namespace: "AWS/Lambda",
    metricName: "PolledEventCount",
    dimensionsMap: { EventSourceMappingUUID },
    ...comparedSum,
  });
  return stopped("Summaries stopped", "FILL(written, 0) > 0 && FILL(polled, -1) < 0", { written, polled });
}

/** 1 if clients make changes while the pipe does not call its function, otherwise 0. Pipes report nothing while they are stopped. */
function outgoingEventsStopped(scope: Construct, enrichment: ServiceFunction): MathExpression {
  const changes = operationsWithEvents.map(
    (operation_id) =>
      new Metric({
        namespace: metricsNamespace(scope),
        metricName: "changes",
        dimensionsMap: { operation_id },
        ...comparedSum,
      }),
  );
  const usingMetrics = Object.fromEntries(changes.map((metric, index) => [`changes${index}`, metric]));
  const terms = Object.keys(usingMetrics).map((name) => `FILL(${name}, 0)`);
  return stopped("Outgoing events stopped", `${terms.join(" + ")} > 0 && FILL(calls, 0) == 0`, {
    ...usingMetrics,
    calls: enrichment.metricInvocations(comparedSum),
  });
}

function stopped(label: string, condition: string, usingMetrics: Record<string, IMetric>): MathExpression {
  return new MathExpression({ label, expression: `IF(${condition}, 1, 0)`, usingMetrics, period: comparedPeriod });
}
