import * as z from "zod";

/** Every deployed function has a namespace. Local log lines contain no metrics, because people read them. */
const namespace = z.string().min(1).optional().parse(process.env.POWERTOOLS_METRICS_NAMESPACE);

/** A unit of work: a request, an authorization, a batch. */
interface Work {
  operationId: string;
  /** The start, by `performance.now()`. */
  startedMs: number;
  /** Calls to the table by action, and the capacity units consumed; absent if the function has no table. */
  usage?: { calls: Partial<Record<string, number>>; capacityUnits: number };
  /** The response's status, if a client gets one. */
  status?: number;
  /** True if a client's request changed something. */
  isChange?: boolean;
  /** The delay of a batch's oldest record. */
  waitedSeconds?: number;
  /** Further counts by the metric's name, which are sent even if they are 0. */
  counts?: Readonly<Record<string, number>>;
}

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
function embeddedMetrics({ operationId, usage, status = 200, isChange = false, waitedSeconds, counts = {} }: Work) {
  const values: Record<string, number> = {};
  const calls = Object.values(usage?.calls ?? {});
  if (usage && calls.length > 0) {
    values.dynamodb_calls = calls.reduce<number>((sum, count = 0) => sum + count, 0);
    values.dynamodb_units = usage.capacityUnits;
  }
  if (status >= 400) values[`status_${status}`] = 1;
  if (waitedSeconds !== undefined) values.waited = waitedSeconds;
  Object.assign(values, counts);
  if (isChange) values.changes = 1;
  if (isColdStart) values.cold_start = 1;
  isColdStart = false;
  return Object.keys(values).length > 0 ? embedded(operationId, values) : {};
}

/** Operations that count the events of all operations, because an alarm cannot add the metrics of all functions. */
export const damagedItems = "damagedItems";
export const perhapsRecordedWrites = "perhapsRecordedWrites";

export function damagedItemMetric(): Record<string, unknown> {
  return namespace === undefined ? {} : embedded(damagedItems, { damaged_items: 1 });
}

export function perhapsRecordedMetric(): Record<string, unknown> {
  return namespace === undefined ? {} : embedded(perhapsRecordedWrites, { perhaps_recorded: 1 });
}

/** The units of metrics that are not counts. */
const units: Partial<Record<string, string>> = { waited: "Seconds" };

/** Powertools' class for metrics costs 3 % of the processor time of a warm request. */
function embedded(operation_id: string, values: Record<string, number>) {
  const Metrics = Object.keys(values).map((Name) => ({ Name, Unit: units[Name] ?? "Count" }));
  const CloudWatchMetrics = [{ Namespace: namespace, Dimensions: [["operation_id"]], Metrics }];
  return { _aws: { Timestamp: Date.now(), CloudWatchMetrics }, operation_id, ...values };
}
