import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import * as z from "zod";
import type { Endpoint } from "../../../functions/api/endpoint.ts";
import { createApiKey } from "../../../functions/endpoints/createApiKey.ts";
import { createWebhook } from "../../../functions/endpoints/createWebhook.ts";
import { getOrder } from "../../../functions/endpoints/getOrder.ts";
import { listApiKeyFailures } from "../../../functions/endpoints/listApiKeyFailures.ts";
import { listWebhookDeliveries } from "../../../functions/endpoints/listWebhookDeliveries.ts";
import { recordBalancePayment } from "../../../functions/endpoints/recordBalancePayment.ts";
import { revokeApiKey } from "../../../functions/endpoints/revokeApiKey.ts";
import { updateWebhook } from "../../../functions/endpoints/updateWebhook.ts";
import { CreatedApiKey } from "../../../functions/keys/apiKey.ts";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { exampleOf } from "../../../functions/resources/fields.ts";
import { Scope } from "../../../functions/resources/scope.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { timeOrderedId } from "../../../functions/values/timeOrderedId.ts";
import { WebhookDelivery, WebhookWithSecret } from "../../../functions/webhooks/webhook.ts";
import { useLocalTable } from "../../../local/localService.ts";
import { someone } from "../data/records.ts";
import { type Client, clientOf } from "../http/client.ts";
import { examplePaths, unknownIdFor, withId } from "../http/examples.ts";
import { textOf, unusedUrl } from "../http/send.ts";
import { Visitor } from "../http/visitor.ts";
import { startChildService } from "./childService.ts";
import { StageDescription } from "./stageDescription.ts";
import { until } from "./until.ts";

const { BASE_URL, SERVICE_DESCRIPTION, TEST_DYNAMODB_ENDPOINT } = z
  .object({
    BASE_URL: z.url().optional(),
    SERVICE_DESCRIPTION: z.string().optional(),
    TEST_DYNAMODB_ENDPOINT: z.url().optional(),
  })
  .parse(process.env);

const options = TEST_DYNAMODB_ENDPOINT === undefined ? [] : ["--dynamodb-endpoint", TEST_DYNAMODB_ENDPOINT];
/** The service that this process started for its tests; undefined if BASE_URL names a running one. */
export const localService = BASE_URL === undefined ? await startChildService(...options) : undefined;

const description = localService?.description ?? (await describedService());
export const baseUrl = BASE_URL ?? localService?.description.base_url ?? "";

/** A reader of organisation 1 and one of organisation 2. */
export const [one, two] = [holderOf(1, ["read"]), holderOf(2, ["read"])];

/** Holders of keys that may also write. */
export const [writerOne, writerTwo] = [holderOf(1, Scope.options), holderOf(2, Scope.options)];

/** The super-admins of both organisations, and a member of staff of organisation 1. */
export const [adminOne, adminTwo, staff] = await Promise.all([
  personOf(1, "super-admin"),
  personOf(2, "super-admin"),
  personOf(1, "staff"),
]);

/** A caller of each organisation who may call an endpoint. */
export function callersOf({ caller }: Endpoint): { one: Caller; two: Caller } {
  if (caller.scheme === "superAdmin") return { one: adminOne, two: adminTwo };
  return caller.scope === "read" ? { one, two } : { one: writerOne, two: writerTwo };
}

await Promise.all([makeWebhooks(adminOne), makeWebhooks(adminTwo)]);
await recordBalancePayments();
await Promise.all([pauseAttempted(adminOne), pauseAttempted(adminTwo)]);
await Promise.all([leaveFailures(adminOne), leaveFailures(adminTwo)]);

export interface Caller extends Client {
  organisationId: number;
}

/** Every key that the service had at its start. */
export const knownKeys = description.organisations.flatMap(({ keys }) => keys.map(({ key }) => key));

/** The table of the service that this process started. */
export function localTable() {
  if (!localService) throw new Error("Tests cannot reach the table of a service that they did not start.");
  useLocalTable(localService.description.dynamodb_endpoint, localService.description.table_name);
  return openTable();
}

/** The holder of a new key in the table of the service that this process started. */
export async function newHolder(organisationId: number, scopes: Scope[]): Promise<Client> {
  const { key } = await apiKeyRepository(organisationId, localTable()).create("Test", scopes, someone);
  return clientOf(baseUrl, key);
}

/** Creates a key through the API, by default its example. */
export async function createKey(admin: Caller, value?: object) {
  const body = value && JSON.stringify(value);
  const answer = await admin.call(createApiKey, createApiKey.path, { body });
  assert.equal(answer.status, 201, textOf(answer));
  return z.strictObject(CreatedApiKey.shape).parse(JSON.parse(textOf(answer)));
}

/** Gives both organisations balance payments to list; records cannot contain them. */
async function recordBalancePayments(): Promise<void> {
  for (const writer of [writerOne, writerTwo]) {
    const path = (await examplePaths(recordBalancePayment, writer))[0] ?? "";
    for (let count = 0; count < 4; count++) await writer.call(recordBalancePayment, path);
  }
}

/** Gives an organisation a revoked key, whose usage no longer changes, with failed requests to list. */
async function leaveFailures(admin: Caller): Promise<void> {
  const { id, key } = await createKey(admin);
  const holder = clientOf(baseUrl, key);
  for (let count = 0; count < 4; count++) await holder.get(withId(getOrder, unknownIdFor(getOrder)));
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

async function describedService() {
  if (SERVICE_DESCRIPTION === undefined) throw new Error("BASE_URL needs SERVICE_DESCRIPTION, a file with the keys.");
  return StageDescription.parse(JSON.parse(await readFile(SERVICE_DESCRIPTION, "utf8")));
}

async function personOf(organisationId: number, role: string): Promise<Caller> {
  const person = description.people.find((one) => one.organisation_id === organisationId && one.role === role);
  if (!person) throw new Error(`Organisation ${organisationId} has nobody who is ${role}.`);
  return { organisationId, ...clientOf(baseUrl, await idTokenOf(person)) };
}

async function idTokenOf(person: (typeof description.people)[number]): Promise<string> {
  if ("id_token" in person) return person.id_token;
  if (!("issuer" in description)) throw new Error("A person without an ID token needs an issuer to sign in at.");
  const signIn = { issuer: description.issuer, clientId: "developer-area", returnTo: `${baseUrl}/developer` };
  return (await new Visitor(signIn).tokensFor(person)).id_token;
}

function holderOf(organisationId: number, scopes: readonly Scope[]) {
  const organisation = description.organisations.find(({ organisation_id }) => organisation_id === organisationId);
  const found = organisation?.keys.find((key) => key.scopes.join() === scopes.join());
  if (!found) throw new Error(`Organisation ${organisationId} has no key with just ${scopes}.`);
  return { organisationId, keyName: found.name, ...clientOf(baseUrl, found.key) };
}
