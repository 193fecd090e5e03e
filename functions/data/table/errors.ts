import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { serviceUnavailable } from "../../problem.ts";
import { fromAttributes } from "../dynamodb/attributeValue.ts";

/** A condition of a write did not hold: nothing was written. */
export class ConditionFailed extends Error {
  override readonly name = "ConditionFailed";
  /** The item as it is instead, of a write of one item that asked for it; undefined where there is none. */
  readonly item: Record<string, unknown> | undefined;

  constructor(message: string, item: Record<string, unknown> | undefined, options: ErrorOptions) {
    super(message, options);
    this.item = item;
  }
}

/** Errors by which DynamoDB says that it cannot serve now, after the SDK's own retries. */
const unavailable = new Set([
  "InternalServerError",
  "LimitExceededException",
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "ServiceUnavailable",
  // An answer that is not JSON, or not all of it.
  "SyntaxError",
  "ThrottlingException",
  "TimeoutError",
  "TransactionConflictException",
  "TransactionInProgressException",
]);

/** What of an SDK error tells one kind from another. */
const SdkError = z.object({
  name: z.string(),
  code: z.string().optional(),
  $metadata: z.object({ httpStatusCode: z.number().optional() }).optional(),
  /** Of a failed condition, the item that is there. */
  Item: z.record(z.string(), z.custom<AttributeValue>()).optional(),
  /** Of a cancelled transaction, one for each of its writes. */
  CancellationReasons: z.array(z.object({ Code: z.string().optional() })).default([]),
});

/**
 * What an error of the SDK means to us: a failed condition, a table that throttles or does not answer (a Problem), or a
 * fault of ours, which stays as it is.
 */
export function toTableError(error: unknown): unknown {
  const { data: sdkError } = SdkError.safeParse(error);
  if (!sdkError) return error;
  const reasons = sdkError.CancellationReasons.map(({ Code }) => Code);
  if (sdkError.name === "ConditionalCheckFailedException" || reasons.includes("ConditionalCheckFailed")) {
    const item = sdkError.Item && fromAttributes(sdkError.Item);
    return new ConditionFailed("A condition of a write did not hold.", item, { cause: error });
  }
  const isCancelledForNow = reasons.length > 0 && !reasons.includes("ValidationError");
  const isServerError = (sdkError.$metadata?.httpStatusCode ?? 0) >= 500;
  const isNetworkError = /^E(?!RR_)[A-Z_]+$/.test(sdkError.code ?? "");
  return unavailable.has(sdkError.name) || isCancelledForNow || isServerError || isNetworkError
    ? serviceUnavailable(error)
    : error;
}

/** Whether a transaction was cancelled only because another write of the same items was under way. */
export function isTransactionConflict(error: unknown): boolean {
  const { data: sdkError } = SdkError.safeParse(error instanceof Error ? error.cause : undefined);
  return sdkError?.CancellationReasons.some(({ Code }) => Code === "TransactionConflict") ?? false;
}
