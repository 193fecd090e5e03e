import { createApiKey } from "../../../functions/endpoints/createApiKey.ts";
import { createWebhook } from "../../../functions/endpoints/createWebhook.ts";
import { getEventSummary } from "../../../functions/endpoints/getEventSummary.ts";
import { getOrder } from "../../../functions/endpoints/getOrder.ts";
import { listApiKeyFailures } from "../../../functions/endpoints/listApiKeyFailures.ts";
import { listWebhookDeliveries } from "../../../functions/endpoints/listWebhookDeliveries.ts";
import { recordBalancePayment } from "../../../functions/endpoints/recordBalancePayment.ts";
import { revokeApiKey } from "../../../functions/endpoints/revokeApiKey.ts";
import { updateWebhook } from "../../../functions/endpoints/updateWebhook.ts";
import { BalancePayment } from "../../../functions/resources/balancePayment.ts";
import { exampleOf } from "../../../functions/resources/fields.ts";
import { Summary } from "../../../functions/summaries/summary.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { timeOrderedId } from "../../../functions/values/timeOrderedId.ts";
import { WebhookDelivery, WebhookWithSecret } from "../../../functions/webhooks/webhook.ts";
import { clientOf } from "../http/client.ts";
import { idsFor, withId } from "../http/examples.ts";
import { textOf, unusedUrl } from "../http/send.ts";
import {
  adminTwo,
  baseUrl,
  type Caller,
  createKey,
  localService,
  localTable,
  quietAdmin,
  writerOne,
  writerTwo,
} from "./testedService.ts";
import { until } from "./until.ts";

/** Gives the service the data that records cannot contain: enough of each for a list of several pages. */
export async function prepareService(): Promise<void> {
  const admins = [quietAdmin, adminTwo];
  await Promise.all(admins.map(makeWebhooks));
  await Promise.all([writerOne, writerTwo].map(recordBalancePayments));
  await Promise.all(admins.map(pauseAttempted));
  await Promise.all(admins.map(leaveFailures));
}

/** Waits until the payments are counted, so that tests can compare summaries. */
async function recordBalancePayments(writer: Caller): Promise<void> {
  const [event = 0] = await idsFor(recordBalancePayment, writer);
  let balance = 0;
  for (let count = 0; count < 4; count++) {
    const made = await writer.call(recordBalancePayment, withId(recordBalancePayment, event));
    balance = BalancePayment.parse(JSON.parse(textOf(made))).balance_after;
  }
  const summary = async () => Summary.parse(await writer.json(withId(getEventSummary, event)));
  await until(async () => (await summary()).balance_paid_total === balance);
}

/** Gives an organisation keys to list, one of them revoked, whose usage no longer changes, with failed requests to list. */
async function leaveFailures(admin: Caller): Promise<void> {
  for (let count = 0; count < 2; count++) await admin.call(createApiKey, createApiKey.path);
  const { id, key } = await createKey(admin);
  const holder = clientOf(baseUrl, key);
  // Equal failures would be one row, and so would those of ids with more than nine digits.
  for (const order of [999_999_996, 999_999_997, 999_999_998, 999_999_999]) await holder.get(withId(getOrder, order));
  await admin.call(revokeApiKey, withId(revokeApiKey, id));
  await until(async () => (await admin.rows(withId(listApiKeyFailures, id))).length === 4);
}

/** Gives an organisation webhooks to list, with attempts to list. */
async function makeWebhooks(admin: Caller): Promise<void> {
  const body = JSON.stringify({ url: unusedUrl });
  const ids: string[] = [];
  for (let count = 0; count < 4; count++) {
    const created = await admin.call(createWebhook, createWebhook.path, { body });
    ids.push(WebhookWithSecret.parse(JSON.parse(textOf(created))).id);
  }
  if (localService) for (const id of ids) await leaveAttempts(admin.organisationId, id);
}

/**
 * Waits for failed attempts, which begin once a change is shown; the local service's table gets some at once. Then pauses the webhooks, so that
 * they do not change while tests compare them.
 */
async function pauseAttempted(admin: Caller): Promise<void> {
  const ids = (await admin.rows(createWebhook.path)).map(({ id = "" }) => id);
  const attempts = (id: string | number) => admin.rows(withId(listWebhookDeliveries, id));
  // Seldom and one at a time, because the stage logs every request, and the emulator starts a process for each concurrent one.
  for (const id of ids) await until(async () => (await attempts(id)).length >= 2, 2_000);
  const body = JSON.stringify({ status: "paused" });
  for (const id of ids) await admin.call(updateWebhook, withId(updateWebhook, id), { body });
}

async function leaveAttempts(organisationId: number, webhookId: string): Promise<void> {
  const { id: _, ...attempt } = exampleOf(WebhookDelivery);
  for (let count = 0; count < 4; count++) {
    const id = timeOrderedId(new Date(Date.now() + count).toISOString());
    await putItem(localTable(), { ...itemKeys.webhookDelivery(organisationId, webhookId, id), id, ...attempt });
  }
}
