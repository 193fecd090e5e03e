import * as z from "zod";
import { Problem } from "../problem.ts";
import { type IdempotencyKey, idempotencyEntry, replayOf } from "../records/idempotency.ts";
import { itemKeys } from "../table/itemKeys.ts";
import { getItem } from "../table/reads.ts";
import type { TransactWrite } from "../table/writes.ts";
import { secretOf, signingSecret } from "./signature.ts";
import { publicWebhook, readWebhook, type StoredWebhook } from "./storedWebhook.ts";
import type { WebhookScope } from "./webhookWrites.ts";

const deletedSince = "The webhook that this request created was deleted.";
const replacedSince = "This request has succeeded before, but a later rotation replaced its secret.";

/** The part of a response that a repetition needs. */
const Shown = z.object({ id: z.string(), secret_version: z.int() });

/** The write that lets a repetition of the request get the same secret. */
export function shownEntry(
  { organisationId, table }: WebhookScope,
  request: IdempotencyKey | undefined,
  { id, secret_version }: StoredWebhook,
): TransactWrite[] {
  return request ? [idempotencyEntry(organisationId, request, { id, secret_version }, table.clock)] : [];
}

/** The response to an earlier try of the same request. @throws Problem `conflict` if it is not valid any more, `idempotency_mismatch` */
export async function shownBefore(scope: WebhookScope, request: IdempotencyKey | undefined) {
  if (!request) return undefined;
  const { table, organisationId } = scope;
  const item = await getItem(table, itemKeys.idempotency(organisationId, request.hash));
  const entry = replayOf(item, request, Shown, table.clock);
  if (!entry) return undefined;
  const stored = await readWebhook(table, organisationId, entry.id);
  if (!stored) throw new Problem("conflict", deletedSince);
  if (stored.secret_version !== entry.secret_version) throw new Problem("conflict", replacedSince);
  return shown(scope, stored, true);
}

/** The response that shows a webhook with its secret. */
export async function shown({ table, sender: { mac } }: WebhookScope, stored: StoredWebhook, isReplayed = false) {
  const secret = await signingSecret(mac, secretOf(stored, stored.secret_version));
  return { webhook: { ...publicWebhook(stored, table), secret }, isReplayed };
}
