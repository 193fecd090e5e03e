import * as z from "zod";
import { serviceUnavailable } from "../http/problem.ts";

/** A condition of a write did not hold: nothing was written. */
export class ConditionFailed extends Error {
  override readonly name = "ConditionFailed";
}

const conditionErrors = new Set(["ConditionalCheckFailedException"]);

/** Errors by which DynamoDB says that it cannot serve now, after the SDK's own retries. */
const unavailableErrors = new Set([
  "InternalServerError",
  "LimitExceededException",
  "ProvisionedThroughputExceededException",
  "ReplicatedWriteConflictException",
  "RequestLimitExceeded",
  "ServiceUnavailable",
  "ThrottlingException",
  "TimeoutError",
  "TransactionInProgressException",
]);

/**
 * What an error of the SDK means to us: a failed condition, a table that throttles or does not answer (a Problem), or a
 * fault of ours, which stays as it is.
 */
export function toTableError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (conditionErrors.has(error.name) || cancelledByCondition(error)) {
    return new ConditionFailed("A condition of a write did not hold.", { cause: error });
  }
  return unavailableErrors.has(error.name) || isUnanswered(error) ? serviceUnavailable(error) : error;
}

/** A transaction is cancelled with a reason for each of its writes; conflicts and throttling are reasons, too. */
function cancelledByCondition(error: Error): boolean {
  return reasonsOf(error).includes("ConditionalCheckFailed");
}

function reasonsOf(error: Error): unknown[] {
  if (!("CancellationReasons" in error) || !Array.isArray(error.CancellationReasons)) return [];
  return error.CancellationReasons.map(({ Code }) => Code);
}

/** The connection failed, the answer was a 5xx or no answer at all, or only contention and throttling cancelled it. */
function isUnanswered(error: Error): boolean {
  if (error.name === "TransactionCanceledException") return !reasonsOf(error).includes("ValidationError");
  const isNetworkError = "code" in error && typeof error.code === "string";
  return isNetworkError || statusOf(error) >= 500;
}

const WithStatus = z.object({ $metadata: z.object({ httpStatusCode: z.number() }) });

function statusOf(error: Error): number {
  const { data } = WithStatus.safeParse(error);
  return data?.$metadata.httpStatusCode ?? 0;
}
