import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach } from "@jest/globals";
import { horizonMs } from "../../../functions/changes/changeRepository.ts";
import { recordItem } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import { clockOf } from "../../../functions/table/clock.ts";
import { keys } from "../../../functions/table/keys.ts";
import { openTable } from "../../../functions/table/table.ts";
import { updateItem, updateOf } from "../../../functions/table/writes.ts";
import type { Delivered } from "../../../functions/webhooks/attempt.ts";
import { deliverWebhook } from "../../../functions/webhooks/deliverWebhook.ts";
import { webhookMessages } from "../../../functions/webhooks/message.ts";
import type { Answered } from "../../../functions/webhooks/receiver.ts";
import type { Mac } from "../../../functions/webhooks/signature.ts";
import type { Sender } from "../../../functions/webhooks/storedWebhook.ts";
import { webhookListRepository } from "../../../functions/webhooks/webhookListRepository.ts";
import { webhookRepository } from "../../../functions/webhooks/webhookRepository.ts";
import { startLocalQueues, useLocalQueues } from "../../../local/queues.ts";
import { eventRecord } from "../data/records.ts";
import { useTestTable } from "../data/testTable.ts";

export const mac: Mac = async (text) => createHmac("sha256", "a key of this test").update(text).digest();
export const actor = { name: "Ada", subject: "1" };
export const url = "https://203.0.114.7/hook?token=7";
export const dayMs = 24 * 60 * 60 * 1_000;
const never = new AbortController().signal;

/** What the receiver answers: a status, null for none, or a function that is called before. */
type Answer = number | null | Partial<Answered> | (() => Promise<number | null>);

/** The state of a test: each has an organisation of its own, and a clock a day later than the test before. */
export const state = {
  organisationId: 0,
  nowMs: 0,
  /** The next answers; 200 when there are none left. */
  answers: [] as Answer[],
  received: [] as { headers: Readonly<Record<string, string>>; body: string }[],
};

export const table = openTable(
  undefined,
  clockOf(() => state.nowMs),
);

export const sender: Sender = {
  mac,
  async post(_url, headers, body): Promise<Answered> {
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

interface Options {
  until?: string;
  signal?: AbortSignal;
  delivered?: Delivered;
  sender?: Sender;
}

export const deliver = (id: string, { until, ...options }: Options = {}) =>
  deliverWebhook(
    table,
    { organisation_id: state.organisationId, id, ...(until && { until }) },
    { signal: never, sender, baseUrl: "https://api.example", ...options },
  );

/** A webhook that the sweep has looked at. */
export async function create(types: ("order" | "event" | "ticket_category" | "balance_payment")[] | null = null) {
  const { webhook } = await repository().create({ url, types }, actor);
  await setWebhook(webhook.id, { next_attempt: null });
  return webhook;
}

/** Changes a stored webhook by hand. */
export const setWebhook = (id: string, set: Record<string, unknown>) =>
  updateItem(table, keys.webhook(state.organisationId, id), updateOf({ set }));

export const change = (id: number, name: string) =>
  upsertRecord(table, recordItem(eventRecord(state.organisationId, id, { name })));

/** Lets the changes so far be shown, messages be far enough apart, and what is marked be due. */
export const show = () => {
  state.nowMs += horizonMs + 2_001;
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

/** Prepares the table, queues, and each test's state. */
export function useDeliveries(): void {
  let queues: Awaited<ReturnType<typeof startLocalQueues>>;
  beforeAll(async () => {
    await useTestTable();
    queues = await startLocalQueues();
    useLocalQueues(queues);
  });
  afterAll(() => queues.stop());
  beforeEach(() => {
    Object.assign(state, { nowMs: Math.max(state.nowMs, Date.now()) + dayMs, answers: [], received: [] });
    state.organisationId += 1;
  });
}
