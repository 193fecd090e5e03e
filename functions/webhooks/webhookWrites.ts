import { setTimeout as wait } from "node:timers/promises";
import { type Actor, activityWrite, type WebhookAction } from "../audit/activityRepository.ts";
import { Problem } from "../problem.ts";
import { pauseMs } from "../table/retries.ts";
import type { Table } from "../table/table.ts";
import { ConditionFailed, isTransactionConflict } from "../table/tableErrors.ts";
import { type TransactWrite, transactWrite } from "../table/writes.ts";
import { isoOf } from "../values/instant.ts";
import { hostProblem } from "./receiver.ts";
import { allowsLoopback, type Sender } from "./sendMessage.ts";
import { getWebhook, type StoredWebhook, withNextRevision } from "./storedWebhook.ts";
import { changedMeanwhile } from "./webhook.ts";

/** An organisation's webhooks, and the way to send them messages. */
export interface WebhookScope {
  organisationId: number;
  table: Table;
  sender: Sender;
}

/** A change's entry in the audit trail, and further writes of its transaction. */
interface AuditedChange {
  action: WebhookAction;
  actor: Actor;
  also?: TransactWrite[];
}

/** Changes a webhook without overwriting a delivery or another change. @throws Problem `not_found`, `conflict` */
export function changeWebhook(
  scope: WebhookScope,
  id: string,
  changed: (stored: StoredWebhook) => StoredWebhook,
  change: AuditedChange,
): Promise<StoredWebhook> {
  return untilWritten(async () => {
    const before = await getWebhook(scope.table, scope.organisationId, id);
    return writeChange(scope, before, changed(before), change);
  }, changedMeanwhile);
}

/** @throws ConditionFailed if the webhook has changed since it was read. */
export async function writeChange(
  { table }: WebhookScope,
  before: StoredWebhook,
  after: StoredWebhook,
  { action, actor, also = [] }: AuditedChange,
): Promise<StoredWebhook> {
  await transactWrite(
    table,
    [withNextRevision(before, after), activity(after, action, actor, timeOf(table)), ...also],
    0,
  );
  return after;
}

const maximumTries = 8;
const firstPauseMs = 40;

/** Retries if another write came in between. @throws Problem `conflict` with this detail after the last try. */
export async function untilWritten<Result>(write: () => Promise<Result>, detail: string): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof ConditionFailed) && !isTransactionConflict(error)) throw error;
      if (tries === maximumTries) throw new Problem("conflict", detail);
      await wait(pauseMs(tries, firstPauseMs));
    }
  }
}

/** The write of the audit entry for a change of a webhook, without the URL's query, which may be a secret. */
export function activity(
  { organisation_id, id: webhook_id, url }: StoredWebhook,
  action: WebhookAction,
  actor: Actor,
  time: string,
): TransactWrite {
  const entry = { kind: "webhook", action, webhook_id, url: url.split("?")[0] ?? "" } as const;
  return activityWrite(organisation_id, entry, actor, time);
}

/** The table's time, after a read. @param laterMs is added. */
export function timeOf({ clock }: Table, laterMs = 0): string {
  return isoOf(clock.nowMs() + laterMs);
}

/** @throws Problem `invalid_request` if the host is not public, or does not resolve. */
export async function assertReachable(url: string): Promise<void> {
  const problem = await hostProblem(url, { allowsLoopback: allowsLoopback() });
  if (problem !== undefined) throw invalid("/url", problem);
}

export function invalid(pointer: string, detail: string): Problem {
  return new Problem("invalid_request", "The body is invalid.", { errors: [{ pointer, detail }] });
}
