import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { beforeAll, describe, test } from "@jest/globals";
import * as z from "zod";
import { exportOrganisation } from "../../../cli/organisation/exportOrganisation.ts";
import type { Endpoint } from "../../../functions/api/endpoint.ts";
import { createApiKey } from "../../../functions/endpoints/createApiKey.ts";
import { createWebhook } from "../../../functions/endpoints/createWebhook.ts";
import { deleteWebhook } from "../../../functions/endpoints/deleteWebhook.ts";
import { listApiKeyFailures } from "../../../functions/endpoints/listApiKeyFailures.ts";
import { revokeApiKey } from "../../../functions/endpoints/revokeApiKey.ts";
import { rotateWebhookSecret } from "../../../functions/endpoints/rotateWebhookSecret.ts";
import { updateApiKey } from "../../../functions/endpoints/updateApiKey.ts";
import { CreatedApiKey } from "../../../functions/keys/apiKey.ts";
import { type ItemKey, itemTypeOf } from "../../../functions/table/itemKeys.ts";
import { WebhookWithSecret } from "../../../functions/webhooks/webhook.ts";
import { startStreamFeed } from "../../../packages/local-aws/dynamodb/streamFeed.ts";
import { dumpItems } from "../../support/data/table.ts";
import { assertProblem } from "../../support/http/assertProblem.ts";
import { clientOf } from "../../support/http/client.ts";
import { withId } from "../../support/http/examples.ts";
import { textOf, unusedUrl } from "../../support/http/send.ts";
import { adminOne, baseUrl, localService, localTable } from "../../support/service/testedService.ts";
import { until } from "../../support/service/until.ts";

/** Everything that the flows below saw: whole secrets, and the Idempotency-Keys of the requests for them. */
const secrets: string[] = [];
const idempotencyKeys: string[] = [];
/** The documented beginning of a key that was used, which each place contains. */
let usedPrefix = "";

const call = (endpoint: Endpoint, id: string, value: object) =>
  adminOne.call(endpoint, withId(endpoint, id), { body: JSON.stringify(value) });

/** Sends a request for a secret twice with the same Idempotency-Key. */
async function twice(endpoint: Endpoint, path: string, value?: object) {
  const idempotencyKey = randomUUID();
  idempotencyKeys.push(idempotencyKey);
  const request = { headers: { "Idempotency-Key": idempotencyKey }, body: value && JSON.stringify(value) };
  return [await adminOne.call(endpoint, path, request), await adminOne.call(endpoint, path, request)] as const;
}

async function createKey(name: string) {
  const [first, again] = await twice(createApiKey, createApiKey.path, { name, scopes: [] });
  const created = CreatedApiKey.parse(JSON.parse(textOf(first)));
  assert.equal(assertProblem(again, "conflict").key_id, created.id);
  secrets.push(created.key);
  return created;
}

async function webhookSecret(endpoint: Endpoint, path: string, value?: object) {
  const [first] = await twice(endpoint, path, value);
  const { id, secret } = WebhookWithSecret.parse(JSON.parse(textOf(first)));
  secrets.push(secret);
  return id;
}

async function useKeys() {
  const old = await createKey("Searched for");
  const { id, key, prefix } = await createKey("Searched for (2)");
  usedPrefix = prefix;
  const holder = clientOf(baseUrl, key);
  assert.equal((await holder.get("/v1/key")).status, 200);
  // Mistakes that a developer may make, which the list of failures shows.
  for (const path of [`/v1/orders/${key}`, `/v1/events?key=${key}`, `/v1/events?${key}=1`]) await holder.get(path);
  await until(async () => (await adminOne.rows(withId(listApiKeyFailures, id))).length === 3);
  assert.equal((await call(updateApiKey, id, { name: "Renamed" })).status, 200);
  assertProblem(await call(updateApiKey, id, { name: key }), "invalid_request");
  for (const one of [id, old.id]) await adminOne.call(revokeApiKey, withId(revokeApiKey, one));
  assert.equal((await holder.get("/v1/key")).status, 401);
}

async function useWebhooks() {
  const id = await webhookSecret(createWebhook, createWebhook.path, { url: unusedUrl });
  await webhookSecret(rotateWebhookSecret, withId(rotateWebhookSecret, id));
  await adminOne.call(deleteWebhook, withId(deleteWebhook, id));
}

/** Every change of an organisation's items and of keys that the table's stream still has. */
async function readStream(): Promise<string> {
  const records: unknown[] = [];
  const wants = ({ PK }: ItemKey) => /^(ORG#1#|KEY)/.test(PK);
  const consumer = async ({ Records }: { Records: unknown[] }) => {
    records.push(...Records);
    return { batchItemFailures: [] };
  };
  const feed = startStreamFeed(localTable().name(), [{ wants, consumer }]);
  await feed.caughtUp;
  await feed.stop();
  return JSON.stringify(records);
}

async function readExport(): Promise<string> {
  const lines: string[] = [];
  const file = { write: async (text: string) => void lines.push(text) };
  const files = { records: file, additions: file };
  const waiting = { pause: async () => undefined, signal: new AbortController().signal };
  await exportOrganisation(localTable(), 1, files, { counts: {}, failures: [] }, waiting);
  return lines.join("");
}

/** The parts of a text to search for: any 12 characters, also in hexadecimal, and the whole in base64 at any of its three alignments. */
function tracesOf(text: string): string[] {
  const parts = Array.from({ length: text.length - 11 }, (_, index) => text.slice(index, index + 12));
  const encoded = [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.from("x".repeat(offset) + text);
    return (["base64", "base64url"] as const).map((encoding) => bytes.toString(encoding).slice(4, -4));
  });
  return [...parts, ...parts.map((part) => Buffer.from(part).toString("hex")), ...encoded];
}

const Stored = z.looseObject({ PK: z.string(), SK: z.string(), answer: z.looseObject({}).default({}) });

const revocation = "status revoked revoked_by";
const webhook = "id organisation_id url types description status created created_by position revision secret_version";
const delivery = "earlier_secret_until delivered_until claim_id claimed_until next_poll failures failing_since";
/** Look at an attribute before you add it here: nothing may open a secret, even with the Idempotency-Key known. */
const attributes = {
  APIKEYS: `id name prefix scopes created created_by hash ${revocation}`,
  KEYHASH: `id name prefix scopes organisation_id hash last_used ${revocation}`,
  ACTIVITY: "id kind action time actor actor_id key_id key_name key_prefix former_name scopes webhook_id url",
  ACCESS: "tag suspended",
  IDEMPOTENCY: "request expires_at answer.id answer.secret_version answer.recorded answer.refused",
  WEBHOOKS: `${webhook} ${delivery} webhook_disabled GSI4PK GSI4SK`,
};

const places: Record<string, () => Promise<string>> = {
  table: async () => JSON.stringify(await dumpItems()),
  stream: readStream,
  export: readExport,
  log: async () => (await localService?.log()) ?? "",
};

describe("after keys and webhooks were created, repeated, renamed, rotated and revoked", () => {
  beforeAll(async () => {
    localTable();
    await useKeys();
    await useWebhooks();
  });

  for (const [place, read] of Object.entries(places)) {
    test(`the ${place} contains no part of a secret and no Idempotency-Key`, async () => {
      assert.deepEqual([secrets.length, idempotencyKeys.length], [4, 4]);
      const text = await read();
      assert.ok(text.includes(usedPrefix), `The ${place} is not that of these flows.`);
      const traces = [...secrets.map((secret) => secret.replace(/^[a-z]+_/, "")), ...idempotencyKeys].flatMap(tracesOf);
      assert.deepEqual(
        traces.filter((trace) => text.includes(trace)),
        [],
      );
    });
  }

  test("what is stored about keys, webhooks and repeated requests has no further attribute", async () => {
    const items = (await dumpItems()).map((item) => Stored.parse(item));
    for (const [type, known] of Object.entries(attributes)) {
      const some = items.filter((item) => itemTypeOf(item) === type);
      const names = some.flatMap(({ answer, ...item }) => [
        ...Object.keys(item),
        ...Object.keys(answer).map((name) => `answer.${name}`),
      ]);
      assert.ok(names.length > 0, type);
      const isKnown = (name: string) => ["PK", "SK", ...known.split(" ")].includes(name);
      assert.deepEqual(
        names.filter((name) => !isKnown(name)),
        [],
        `${type}: a new attribute that is not secret belongs in test/promises/local/secrets.ts.`,
      );
    }
  });
});
