import { Duration } from "aws-cdk-lib";
import { type IMetric, MathExpression, Metric } from "aws-cdk-lib/aws-cloudwatch";
import type { Construct } from "constructs";
import type { ServiceFunction } from "../shared/serviceFunction.ts";
import { metricsNamespace } from "./serviceMetrics.ts";

/**
 * The window in which work and its consumer are compared. Work at the end of one window is consumed in the next, which makes one window bad,
 * so an alarm needs several. CloudWatch's data is a minute or two late, which a window of one minute would mistake for a stopped consumer.
 */
export const comparedPeriod = Duration.minutes(5);
const sum = { statistic: "Sum", period: comparedPeriod };

/** The operations whose successful requests become outgoing events. */
export const operationsWithEvents = ["recordBalancePayment", "updateOrder"] as const;

/**
 * 1 if the table is written while the mapping of its stream does not poll, otherwise 0. A mapping that polls without finding records reports
 * 0, so writes that change nothing are not mistaken for a stopped mapping
 * (https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html#event-source-mapping-metrics).
 */
export function summariesStopped(TableName: string, EventSourceMappingUUID: string): MathExpression {
  const written = new Metric({
    namespace: "AWS/DynamoDB",
    metricName: "ConsumedWriteCapacityUnits",
    dimensionsMap: { TableName },
    ...sum,
  });
  const polled = new Metric({
    namespace: "AWS/Lambda",
    metricName: "PolledEventCount",
    dimensionsMap: { EventSourceMappingUUID },
    ...sum,
  });
  return stopped("Summaries stopped", "FILL(written, 0) > 0 && FILL(polled, -1) < 0", { written, polled });
}

/** 1 if clients make changes while the pipe does not call its function, otherwise 0. Pipes report nothing while they are stopped. */
export function outgoingEventsStopped(scope: Construct, enrichment: ServiceFunction): MathExpression {
  const changes = operationsWithEvents.map(
    (operation_id) =>
      new Metric({
        namespace: metricsNamespace(scope),
        metricName: "changes",
        dimensionsMap: { operation_id },
        ...sum,
      }),
  );
  const usingMetrics = Object.fromEntries(changes.map((metric, index) => [`changes${index}`, metric]));
  const terms = Object.keys(usingMetrics).map((name) => `FILL(${name}, 0)`);
  return stopped("Outgoing events stopped", `${terms.join(" + ")} > 0 && FILL(calls, 0) == 0`, {
    ...usingMetrics,
    calls: enrichment.metricInvocations(sum),
  });
}

function stopped(label: string, condition: string, usingMetrics: Record<string, IMetric>): MathExpression {
  return new MathExpression({ label, expression: `IF(${condition}, 1, 0)`, usingMetrics, period: comparedPeriod });
}
