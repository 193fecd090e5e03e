import { createHash } from "node:crypto";
import * as z from "zod";
import { idempotencyMismatch } from "../../problem.ts";
import type { Item } from "../table/item.ts";
import { keys } from "../table/keys.ts";
import type { TransactWrite } from "../table/writes.ts";

const keptSeconds = 24 * 60 * 60;

/** By what a request is known again. */
export interface IdempotencyKey {
  /** SHA-256 of the API key's id and the Idempotency-Key that it sent, so that no two keys of the API share one. */
  hash: string;
  /** SHA-256 of what was asked: another request under the same key is a mistake. */
  request: string;
}

/**
 * @param keyId the API key's.
 * @param sent the Idempotency-Key that came with the request; none is known again without.
 * @param parts what makes the request the same: its operation, path and parsed body.
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
 * What the same request was answered, if there is an entry that has not ended; DynamoDB removes those that have, but not at once.
 * @throws Problem `idempotency_mismatch` where the entry is another request's.
 */
export function replayOf<Answer extends z.ZodType>(
  item: Item | undefined,
  { request }: IdempotencyKey,
  answer: Answer,
): z.output<Answer> | undefined {
  if (!item) return undefined;
  const entry = Entry.parse(item);
  if (entry.expires_at <= nowSeconds()) return undefined;
  if (entry.request !== request) throw idempotencyMismatch();
  return answer.parse(entry.answer);
}

/** The write that notes an answer, unless one is noted: it is part of the transaction that does what was asked. */
export function idempotencyEntry(
  organisationId: number,
  { hash, request }: IdempotencyKey,
  answer: object,
): TransactWrite {
  const now = nowSeconds();
  return {
    put: { ...keys.idempotency(organisationId, hash), request, answer: { ...answer }, expires_at: now + keptSeconds },
    condition: { condition: "attribute_not_exists(PK) OR expires_at <= :now", values: { ":now": now } },
  };
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

function sha256(parts: unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}
