import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { Problem } from "../../../functions/problem.ts";
import { openTable } from "../../../functions/table/table.ts";
import type { Sender } from "../../../functions/webhooks/sendMessage.ts";
import { readWebhook } from "../../../functions/webhooks/storedWebhook.ts";
import { webhookListRepository } from "../../../functions/webhooks/webhookListRepository.ts";
import { webhookRepository } from "../../../functions/webhooks/webhookRepository.ts";
import { tableAt } from "../data/table.ts";

export const actor = { name: "Ada", subject: "1" };
/** The time of {@link atTime} in tests of times. */
export const now = Date.parse("2031-05-05T10:00:00.000Z");

export const mac: Sender["mac"] = async (text) => createHmac("sha256", "a key of this test").update(text).digest();

/** The headers and bodies of messages, the latest last. */
export const posted: { headers: Readonly<Record<string, string>>; body: string }[] = [];

const post: Sender["post"] = async (_url, headers, body) => {
  posted.push({ headers, body });
  return { status: 204, durationMs: 3, error: null, isSent: true, response: "thanks", retryAfterMs: null };
};

/** Reads and changes an organisation's webhooks, with receivers that accept everything. */
export const repository = (organisationId = 1, table = openTable()) => ({
  ...webhookRepository(organisationId, table, { mac, post }),
  ...webhookListRepository(organisationId, table),
});

/** The repository of organisation 1 when the table's clock is at a time. */
export const atTime = (time: number) =>
  repository(
    1,
    tableAt(() => time),
  );

/** A webhook of organisation 1 as it is stored. */
export async function storedOf(id: string) {
  return (await readWebhook(openTable(), 1, id)) ?? assert.fail("No such webhook.");
}

/** The problem of a request that must fail. */
export async function problemOf(call: Promise<unknown>): Promise<Problem> {
  const error = await call.then(
    () => assert.fail("It succeeded."),
    (one: unknown) => one,
  );
  assert.ok(error instanceof Problem, String(error));
  return error;
}
