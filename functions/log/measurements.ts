import { Metrics } from "@aws-lambda-powertools/metrics";
import * as z from "zod";

/** Every deployed function has one. On a developer's machine, people read the log lines, so they contain no metrics. */
const namespace = z.string().min(1).optional().parse(process.env.POWERTOOLS_METRICS_NAMESPACE);

/** A unit of work: a request, an authorization, a batch. */
interface Work {
  /** The function's name. */
  operationId: string;
  /** The start, by `performance.now()`. */
  startedMs: number;
  /** Calls to the table by action, and the capacity units consumed; absent if the function has no table. */
  usage?: { calls: Partial<Record<string, number>>; capacityUnits: number };
  /** The response's status, if a client gets one. */
  status?: number;
  /** Whether a client's request changed something. */
  isChange?: boolean;
  /** Whether a caller's API key was made here, by its tag, and is not found. */
  isLostKey?: boolean;
  /** How long the oldest record of a batch has waited. */
  waitedSeconds?: number;
  /** Further counts by the metric's name, which are sent even if they are 0. */
  counts?: Readonly<Record<string, number>>;
}

const metrics = new Metrics();
// The namespace identifies service and stage.
metrics.clearDefaultDimensions();

let isColdStart = true;

/**
 * The log fields for the cost of a unit of work, with its metrics, which CloudWatch extracts from the same log line
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
 * Metrics by operation: calls to the table, capacity units, errors by status, changes, cold starts. Lambda itself reports the number and duration
 * of calls. An hour without data points is free, so metrics of rare events are omitted when 0.
 */
function embeddedMetrics({
  operationId,
  usage,
  status = 200,
  isChange = false,
  isLostKey = false,
  waitedSeconds,
  counts = {},
}: Work) {
  if (usage && Object.keys(usage.calls).length > 0) {
    const calls = Object.values(usage.calls).reduce<number>((sum, count = 0) => sum + count, 0);
    metrics.addMetric("dynamodb_calls", "Count", calls);
    metrics.addMetric("dynamodb_units", "Count", usage.capacityUnits);
  }
  if (status >= 400) metrics.addMetric(`status_${status}`, "Count", 1);
  if (waitedSeconds !== undefined) metrics.addMetric("waited", "Seconds", waitedSeconds);
  for (const [name, count] of Object.entries(counts)) metrics.addMetric(name, "Count", count);
  if (isChange) metrics.addMetric("changes", "Count", 1);
  if (isLostKey) metrics.addMetric("lost_keys", "Count", 1);
  const { COMPILE_CACHE: compile_cache } = process.env;
  const start = isColdStart && compile_cache !== undefined ? { compile_cache } : {};
  if (isColdStart) metrics.addMetric("cold_start", "Count", 1);
  isColdStart = false;
  if (!metrics.hasStoredMetrics()) return {};
  return { ...start, ...serialised(operationId) };
}

/** The name of the operation that damaged items are counted under, because an alarm cannot add the metrics of all functions. */
export const damagedItems = "damagedItems";

/** The log fields that count one damaged item. */
export function damagedItemMetric(): Record<string, unknown> {
  if (namespace === undefined) return {};
  metrics.addMetric("damaged_items", "Count", 1);
  return serialised(damagedItems);
}

function serialised(operationId: string) {
  const embedded = metrics.addDimension("operation_id", operationId).serializeMetrics();
  metrics.clearMetrics();
  metrics.clearDimensions();
  return embedded;
}
