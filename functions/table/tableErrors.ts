import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { fromAttributes } from "./item.ts";

/** The condition of a write was false, so nothing was written. */
export class ConditionFailed extends Error {
  override readonly name = "ConditionFailed";
  /** The stored item, if the write requested it and it exists. */
  readonly item: Record<string, unknown> | undefined;

  constructor(message: string, item: Record<string, unknown> | undefined, options: ErrorOptions) {
    super(message, options);
    this.item = item;
  }
}

/** The table did not serve a call, and the same call may succeed later. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";

  /** @param cause the error that the log shows. */
  constructor(cause: Error | undefined) {
    super("The table is unavailable.", { cause });
  }
}

/** Names of temporary errors, which remain after the SDK's own retries. */
const unavailable = new Set([
  "InternalServerError",
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "ServiceUnavailable",
  // The response was damaged or incomplete JSON.
  "SyntaxError",
  "ThrottlingException",
  "TimeoutError",
  "TransactionConflictException",
  "TransactionInProgressException",
]);

/** The parts of an SDK error that identify its kind. */
const SdkError = z.object({
  name: z.string(),
  code: z.string().optional(),
  $metadata: z.object({ httpStatusCode: z.number().optional() }).optional(),
  /** The stored item, after a failed condition. */
  Item: z.record(z.string(), z.custom<AttributeValue>()).optional(),
  /** One for each write, after a cancelled transaction. */
  CancellationReasons: z.array(z.object({ Code: z.string().optional() })).default([]),
});

/** ConditionFailed for a failed condition, Unavailable for a temporary failure. Other errors are our own faults and stay unchanged. */
export function toTableError(error: unknown): unknown {
  const { data: sdkError } = SdkError.safeParse(error);
  if (!sdkError) return error;
  const reasons = sdkError.CancellationReasons.map(({ Code }) => Code);
  if (sdkError.name === "ConditionalCheckFailedException" || reasons.includes("ConditionalCheckFailed")) {
    const item = sdkError.Item && fromAttributes(sdkError.Item);
    return new ConditionFailed("The condition of a write was false.", item, { cause: error });
  }
  const isCancelledForNow = reasons.length > 0 && !reasons.includes("ValidationError");
  const isServerError = (sdkError.$metadata?.httpStatusCode ?? 0) >= 500;
  const isNetworkError = /^E(?!RR_)[A-Z_]+$/.test(sdkError.code ?? "");
  return unavailable.has(sdkError.name) || isCancelledForNow || isServerError || isNetworkError
    ? new Unavailable(error instanceof Error ? error : undefined)
    : error;
}

/** DynamoDB's reason for refusing an item itself; undefined for any other error. */
export function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== "ValidationException") return undefined;
  return `DynamoDB refuses it: ${error.message}`;
}

/** True for a transaction cancelled by a concurrent write to the same items. */
export function isTransactionConflict(error: unknown): boolean {
  const { data: sdkError } = SdkError.safeParse(error instanceof Error ? error.cause : undefined);
  return sdkError?.CancellationReasons.some(({ Code }) => Code === "TransactionConflict") ?? false;
}

/** An error, or its cause if it has one, in one line without a full stop. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return describeError(error.cause);
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  return [code, error.message]
    .filter((part) => part !== "")
    .join(": ")
    .replaceAll(/\s+/g, " ")
    .replace(/\.$/, "");
}
