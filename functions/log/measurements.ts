import { Metrics } from "@aws-lambda-powertools/metrics";
import * as z from "zod";

/** Every deployed function has one. On a developer's machine a line is for people, and has no metrics. */
const namespace = z.string().min(1).optional().parse(process.env.POWERTOOLS_METRICS_NAMESPACE);

/** A piece of work that a function has done: a request, an authorization, a batch. */
export interface Work {
  /** The function's name. */
  operationId: string;
  /** When it began, by `performance.now()`. */
  startedMs: number;
  /** Its calls to the table by action, and the capacity units that they consumed, if it has a table. */
  usage?: { calls: Partial<Record<string, number>>; capacityUnits: number };
  /** The status that it ends in for a client, if there is one. */
  status?: number;
}

const metrics = new Metrics();
// The namespace tells which service and stage it is.
metrics.clearDefaultDimensions();

let isColdStart = true;

/**
 * What the log's line about a piece of work tells of its cost. In the same line stand its metrics, which CloudWatch takes from there
 * (https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html).
 */
export function measurements(work: Work): Record<string, unknown> {
  const { operationId, startedMs, usage } = work;
  return {
    operation_id: operationId,
    duration_ms: Math.round((performance.now() - startedMs) * 100) / 100,
    ...(usage && { dynamodb: { calls: usage.calls, capacity_units: usage.capacityUnits } }),
    ...(namespace === undefined ? {} : embeddedMetrics(work)),
  };
}

/**
 * By operation: calls to the table and the units they cost, errors by status, cold starts. How often an operation is called and how long it
 * takes, Lambda tells of its function. An hour without a metric costs nothing, so one that counts what is rare is left out where it is 0.
 */
function embeddedMetrics({ operationId, usage, status = 200 }: Work) {
  if (usage && Object.keys(usage.calls).length > 0) {
    const calls = Object.values(usage.calls).reduce<number>((sum, count = 0) => sum + count, 0);
    metrics.addMetric("dynamodb_calls", "Count", calls);
    metrics.addMetric("dynamodb_units", "Count", usage.capacityUnits);
  }
  if (status >= 400) metrics.addMetric(`status_${status}`, "Count", 1);
  if (isColdStart) metrics.addMetric("cold_start", "Count", 1);
  isColdStart = false;
  if (!metrics.hasStoredMetrics()) return {};
  const embedded = metrics.addDimension("operation_id", operationId).serializeMetrics();
  metrics.clearMetrics();
  metrics.clearDimensions();
  return embedded;
}
