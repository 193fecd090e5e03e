import { hash } from "node:crypto";
import * as z from "zod";
import { idempotencyMismatch } from "../problem.ts";
import type { Clock } from "../table/clock.ts";
import type { Item } from "../table/item.ts";
import { itemKeys } from "../table/itemKeys.ts";
import type { TransactWrite } from "../table/writes.ts";

const keptSeconds = 24 * 60 * 60;

/** Identifies a repeated request. */
export interface IdempotencyKey {
  /** SHA-256 of the caller's id and the Idempotency-Key, so that callers do not share Idempotency-Keys. */
  hash: string;
  /** SHA-256 of the request's content, to detect a different request under the same key. */
  request: string;
}

/**
 * @param keyId the id of the calling API key or person.
 * @param parts the content that must be the same: operation, path and parsed body.
 */
export function idempotencyKeyOf(
  keyId: string,
  sent: string | undefined,
  parts: unknown[],
): IdempotencyKey | undefined {
  return sent === undefined ? undefined : { hash: sha256([keyId, sent]), request: sha256(parts) };
}

const Entry = z.object({ request: z.string(), answer: z.unknown(), expires_at: z.number() });

/**
 * The outcome of an earlier try of the same request, if its entry exists and has not expired. DynamoDB removes expired entries with a delay.
 * @throws Problem `idempotency_mismatch` if the entry belongs to another request.
 */
export function replayOf<Outcome extends z.ZodType>(
  item: Item | undefined,
  { request }: IdempotencyKey,
  outcome: Outcome,
  clock: Clock,
): z.output<Outcome> | undefined {
  if (!item) return undefined;
  const entry = Entry.parse(item);
  if (entry.expires_at <= secondsOf(clock)) return undefined;
  if (entry.request !== request) throw idempotencyMismatch();
  return outcome.parse(entry.answer);
}

/** The write that stores an outcome, on condition that none is stored. It belongs in the same transaction as the request's own writes. */
export function idempotencyEntry(
  organisationId: number,
  { hash, request }: IdempotencyKey,
  outcome: object,
  clock: Clock,
): TransactWrite {
  const now = secondsOf(clock);
  return {
    put: {
      ...itemKeys.idempotency(organisationId, hash),
      request,
      answer: { ...outcome },
      expires_at: now + keptSeconds,
    },
    condition: { condition: "attribute_not_exists(PK) OR expires_at <= :now", values: { ":now": now } },
  };
}

function secondsOf(clock: Clock): number {
  return Math.floor(clock.nowMs() / 1000);
}

function sha256(parts: unknown[]): string {
  return hash("sha256", JSON.stringify(parts), "base64url");
}
