import assert from "node:assert/strict";
import { beforeAll, beforeEach } from "@jest/globals";
import { visibilityDelayMs } from "../../../functions/records/changeTime.ts";
import { recordItem } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { updateItem, updateOf } from "../../../functions/table/writes.ts";
import { deliverWebhook } from "../../../functions/webhooks/deliverWebhook.ts";
import { webhookMessages } from "../../../functions/webhooks/message.ts";
import type { ReceiverResponse } from "../../../functions/webhooks/receiver.ts";
import type { Sender } from "../../../functions/webhooks/sendMessage.ts";
import { readWebhook } from "../../../functions/webhooks/storedWebhook.ts";
import { webhookListRepository } from "../../../functions/webhooks/webhookListRepository.ts";
import { webhookRepository } from "../../../functions/webhooks/webhookRepository.ts";
import { eventRecord } from "../data/records.ts";
import { tableAt } from "../data/table.ts";
import { useTestQueues } from "../data/testQueues.ts";
import { useTestTable } from "../data/testTable.ts";
import { actor, mac } from "./repositories.ts";

export const url = "https://203.0.114.7/hook?token=7";
export const dayMs = 24 * 60 * 60 * 1_000;

/** The receiver's response: a status, null for none, or a function that returns either. */
type Answer = number | null | Partial<ReceiverResponse> | (() => Promise<number | null>);

/** The state of a test. Each has its own organisation, and a clock a day ahead of the previous test's. */
export const state = {
  organisationId: 0,
  nowMs: 0,
  /** The next answers; 200 when there are none left. */
  answers: [] as Answer[],
  received: [] as { headers: Readonly<Record<string, string>>; body: string }[],
};

export const table = tableAt(() => state.nowMs);

export const sender: Sender = {
  mac,
  async post(_url, headers, body): Promise<ReceiverResponse> {
    state.received.push({ headers, body });
    const next = state.answers.length > 0 ? state.answers.shift() : 200;
    const answer = typeof next === "function" ? await next() : next;
    const { status = null, ...others } =
      typeof answer === "object" && answer !== null ? answer : { status: answer as number | null };
    const error = status === null ? "No response within 10 seconds." : null;
    return { status, durationMs: 3, error, isSent: true, response: "secret", retryAfterMs: null, ...others };
  },
};

export const repository = () => ({
  ...webhookRepository(state.organisationId, table, sender),
  ...webhookListRepository(state.organisationId, table),
});

/** Polls a webhook. */
export const poll = (id: string, until?: string, own = sender) =>
  deliverWebhook(
    table,
    { organisation_id: state.organisationId, id, ...(until && { until }) },
    { sender: own, baseUrl: "https://api.example" },
  );

/** Polls a webhook. @returns the milliseconds after which to wake it again. */
export const deliver = async (id: string, until?: string) => (await poll(id, until)).wakeMs;

export const stored = async (id: string) =>
  (await readWebhook(table, state.organisationId, id)) ?? assert.fail("No such webhook.");

/** A time by the test's clock. */
export const iso = (aheadMs: number) => new Date(state.nowMs + aheadMs).toISOString();

/** A webhook that waits for a change. */
export async function create(types: ("order" | "event" | "ticket_category" | "balance_payment")[] | null = null) {
  const { webhook } = await repository().create({ url, types }, actor);
  await setWebhook(webhook.id, { next_poll: iso(20 * dayMs) });
  return webhook;
}

/** Changes a stored webhook by hand. */
export const setWebhook = (id: string, set: Record<string, unknown>) =>
  updateItem(table, itemKeys.webhook(state.organisationId, id), updateOf({ set }));

export const change = (id: number, name: string) =>
  upsertRecord(table, recordItem(eventRecord(state.organisationId, id, { name })));

/** Advances the clock: changes so far become visible, coalescing ends, and scheduled polls become due. */
export const show = () => {
  state.nowMs += visibilityDelayMs + 2_001;
};

/** The messages that the receiver got, which must be as the OpenAPI document describes them. */
export const bodies = () =>
  state.received.map(({ body }) => {
    const message = JSON.parse(body);
    const documented = webhookMessages[message.type as keyof typeof webhookMessages];
    assert.deepEqual(documented.parse(message), message);
    return message;
  });
export const ids = () => state.received.map(({ headers }) => headers["webhook-id"]);

export const queues = await useTestQueues();

/** Prepares the table, and each test's state. */
export function useDeliveries(): void {
  beforeAll(useTestTable);
  beforeEach(() => {
    Object.assign(state, { nowMs: Math.max(state.nowMs, Date.now()) + dayMs, answers: [], received: [] });
    state.organisationId += 1;
  });
}
