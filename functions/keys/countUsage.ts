import { hash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import type { CloudWatchLogsEvent, Context } from "aws-lambda";
import * as z from "zod";
import { logger } from "../log/logger.ts";
import { measurements } from "../log/measurements.ts";
import { authorizationMessage, requestMessage } from "../log/requestLine.ts";
import { parseJson } from "../parseJson.ts";
import { CallLimit } from "../table/callLimit.ts";
import { backOff, retryWhileUnavailable } from "../table/retries.ts";
import { openTable } from "../table/table.ts";
import { countKeyDay, keyDaysOf, type UsedKey } from "./keyUsageRepository.ts";

/** For one delivery. A busy table may take few writes a second, and a redelivery repeats the writes that already succeeded. */
export const consumerTimeoutMs = 5 * 60_000;

/** A delivery of CloudWatch Logs (https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/SubscriptionFilters.html). */
const Delivery = z.object({
  messageType: z.string(),
  logEvents: z.array(z.object({ id: z.string(), timestamp: z.int(), message: z.string() })),
});

/** The reason for a failed request. It contains nothing personal or secret: a path has only ids, and a parameter only its name. */
const FailureFields = z.object({
  method: z.string().nullable().default(null),
  path: z.string().nullable().default(null),
  detail: z.string().nullable().default(null),
  required_scope: z.string().nullable().default(null),
  parameters: z.array(z.string()).default([]),
  reasons: z.array(z.string()).nullable().default(null),
});

/**
 * The log lines from which usage is counted: the only contract between the log and this consumer. No other line has a `key_id`. The
 * schema is not in the file that writes the lines, whose functions start faster without it.
 */
export const KeyLine = z.discriminatedUnion("message", [
  FailureFields.extend({
    message: z.literal(requestMessage),
    organisation_id: z.int(),
    key_id: z.string(),
    operation_id: z.string(),
    status: z.int(),
    /** The code of the problem, if it failed. */
    code: z.string().nullable().default(null),
    request_id: z.string(),
  }),
  FailureFields.pick({ method: true, path: true }).extend({
    message: z.literal(authorizationMessage),
    organisation_id: z.int(),
    key_id: z.string(),
    outcome: z.enum(["revoked", "suspended"]),
    function_request_id: z.string(),
  }),
]);
export type KeyLine = z.infer<typeof KeyLine>;

/** The function stops this long before its timeout. Lambda then delivers the lines again. */
const failureMarginMs = 10_000;

const callLimit = new CallLimit();

/** Counts the requests in a delivery of log lines. @throws the first error, after counting what can be counted. */
export async function handler(
  { awslogs }: CloudWatchLogsEvent,
  context?: Pick<Context, "getRemainingTimeInMillis">,
): Promise<void> {
  const startedMs = performance.now();
  const delivery = Delivery.parse(JSON.parse(gunzipSync(Buffer.from(awslogs.data, "base64")).toString("utf8")));
  // A test of the subscription has no lines.
  if (delivery.messageType !== "DATA_MESSAGE") return;
  const lines = delivery.logEvents.flatMap(({ timestamp, message }) => lineOf(timestamp, message));
  // A redelivery has the same events.
  const batchId = hash("sha256", delivery.logEvents.map(({ id }) => id).join(), "base64url");
  const table = openTable();
  const timeLeftMs = (context?.getRemainingTimeInMillis() ?? consumerTimeoutMs) - failureMarginMs;
  const pause = backOff(AbortSignal.timeout(Math.max(0, timeLeftMs)));
  const count = (group: UsedKey[]) =>
    retryWhileUnavailable(() => callLimit.run(() => countKeyDay(table, batchId, group)), pause);
  const results = await Promise.allSettled(keyDaysOf(lines).map(count));
  logger.info("usage", {
    lines: delivery.logEvents.length,
    requests: lines.length,
    ...measurements({ operationId: "usage", startedMs, usage: table.usage }),
  });
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

/** Other lines are ignored: the subscription's filter is only a first selection. */
function lineOf(timestamp: number, message: string): UsedKey[] {
  const { data: line } = KeyLine.safeParse(parseJson(message).value);
  return line ? [{ ...requestIn(line), time: new Date(timestamp).toISOString() }] : [];
}

/** The authorizer does not know the gateway's request id, so a refused request has the id of the authorizer's call, which is also in the access log. */
function requestIn(line: KeyLine): Omit<UsedKey, "time"> {
  if (line.message === "request") {
    const { message: _, ...request } = line;
    return request;
  }
  const { message: _, outcome, function_request_id: request_id, ...request } = line;
  const detail = outcome === "revoked" ? "The key was revoked." : "The organisation is suspended.";
  const refused = { operation_id: null, status: 401, code: "unauthorized", required_scope: null };
  return { ...request, ...refused, parameters: [], reasons: null, detail, request_id };
}
