import { setTimeout as wait } from "node:timers/promises";
import { type Actor, activityWrite, type WebhookAction } from "../keys/activityRepository.ts";
import { notFound, Problem } from "../problem.ts";
import { ConditionFailed, isTransactionConflict } from "../table/errors.ts";
import type { Table } from "../table/table.ts";
import { pauseMs } from "../table/untilTaken.ts";
import { type TransactWrite, transactWrite } from "../table/writes.ts";
import { hostProblem } from "./receiver.ts";
import { allowsLoopback, readWebhook, revised, type Sender, type StoredWebhook } from "./storedWebhook.ts";
import { changedMeanwhile } from "./webhook.ts";

/** Where an organisation's webhooks are, and how messages are sent. */
export interface Place {
  organisationId: number;
  table: Table;
  sender: Sender;
}

/** What a change is in the audit trail, and what its transaction writes besides. */
interface Done {
  action: WebhookAction;
  actor: Actor;
  also?: TransactWrite[];
}

/** Changes a webhook as it was read, so that no delivery and no other change is overwritten. @throws Problem `not_found`, `conflict` */
export function changeWebhook(
  place: Place,
  id: string,
  changed: (stored: StoredWebhook) => StoredWebhook,
  done: Done,
): Promise<StoredWebhook> {
  return untilWritten(async () => {
    const before = await getWebhook(place, id);
    return writeChange(place, before, changed(before), done);
  }, changedMeanwhile);
}

/** @throws Problem `not_found` */
export async function getWebhook({ table, organisationId }: Place, id: string): Promise<StoredWebhook> {
  const stored = await readWebhook(table, organisationId, id);
  if (!stored) throw notFound("webhook");
  return stored;
}

/** @throws ConditionFailed if the webhook is not as it was read. */
export async function writeChange(
  { table }: Place,
  before: StoredWebhook,
  after: StoredWebhook,
  { action, actor, also = [] }: Done,
): Promise<StoredWebhook> {
  await transactWrite(table, [revised(before, after), activity(after, action, actor, timeOf(table)), ...also], 0);
  return after;
}

const maximumTries = 8;
const firstPauseMs = 40;

/**
 * Reads and writes again if another write came in between.
 * @throws Problem `conflict` with this detail after the last try.
 */
export async function untilWritten<Result>(attempt: () => Promise<Result>, detail: string): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ConditionFailed) && !isTransactionConflict(error)) throw error;
      if (tries === maximumTries) throw new Problem("conflict", detail);
      await wait(pauseMs(tries, firstPauseMs));
    }
  }
}

/** The write of the audit entry for a change of a webhook. A query in the URL may be a secret. */
export function activity(
  { organisation_id, id: webhook_id, url }: StoredWebhook,
  action: WebhookAction,
  actor: Actor,
  time: string,
): TransactWrite {
  const deed = { kind: "webhook", action, webhook_id, url: url.split("?")[0] ?? "" } as const;
  return activityWrite(organisation_id, deed, actor, time);
}

/** The table's time, after a read. @param laterMs is added. */
export function timeOf({ clock }: Table, laterMs = 0): string {
  return new Date(clock.nowMs() + laterMs).toISOString();
}

/** @throws Problem `invalid_request` if the host is not public, or does not resolve. */
export async function assertReachable(url: string): Promise<void> {
  const problem = await hostProblem(url, { allowsLoopback: allowsLoopback() });
  if (problem !== undefined) throw invalid("/url", problem);
}

export function invalid(pointer: string, detail: string): Problem {
  return new Problem("invalid_request", "The body is invalid.", { errors: [{ pointer, detail }] });
}
