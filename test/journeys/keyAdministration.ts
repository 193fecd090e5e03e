import assert from "node:assert/strict";
import { test } from "@jest/globals";
import * as z from "zod";
import { createApiKey } from "../../functions/endpoints/createApiKey.ts";
import { listApiKeyActivity } from "../../functions/endpoints/listApiKeyActivity.ts";
import { listApiKeys } from "../../functions/endpoints/listApiKeys.ts";
import { revokeApiKey } from "../../functions/endpoints/revokeApiKey.ts";
import { ApiKey, CreatedApiKey } from "../../functions/resources/apiKey.ts";
import { ApiKeyActivity } from "../../functions/resources/apiKeyActivity.ts";
import { assertProblem } from "../support/http/assertProblem.ts";
import { clientOf } from "../support/http/client.ts";
import { unknownIdFor, withId } from "../support/http/examples.ts";
import { comparable, textOf } from "../support/http/send.ts";
import { adminOne, adminTwo, baseUrl, type Caller } from "../support/service/journeyService.ts";

async function create(admin: Caller, name: string, scopes: string[] = []) {
  const answer = await admin.call(createApiKey, createApiKey.path, { body: JSON.stringify({ name, scopes }) });
  assert.equal(answer.status, 201, textOf(answer));
  return z.strictObject(CreatedApiKey.shape).parse(JSON.parse(textOf(answer)));
}

async function revoke(admin: Caller, id: string) {
  const answer = await admin.call(revokeApiKey, withId(revokeApiKey, id));
  assert.equal(answer.status, 200, textOf(answer));
  return ApiKey.parse(JSON.parse(textOf(answer)));
}

const listed = async (admin: Caller) => ApiKey.array().parse(await admin.rows(listApiKeys.path));
const activity = async (admin: Caller) => ApiKeyActivity.array().parse(await admin.rows(listApiKeyActivity.path));
const isAllowed = async (key: string) => (await clientOf(baseUrl, key).get("/v1/key")).status === 200;

test("a key is created, used, shown as used and revoked, and is refused from then on", async () => {
  const { key, ...created } = await create(adminOne, "  Nightly sync ", ["write:orders"]);
  assert.deepEqual([created.name, created.scopes], ["Nightly sync", ["read", "write:orders"]]);
  assert.deepEqual([created.status, created.last_used, created.revoked], ["active", null, null]);
  assert.equal(created.prefix, key.slice(0, 12));
  const [newest] = await listed(adminOne);
  assert.deepEqual(newest, created);

  const calling = await clientOf(baseUrl, key).json("/v1/key");
  assert.deepEqual(calling, { name: created.name, prefix: created.prefix, scopes: created.scopes, organisation_id: 1 });
  const used = (await listed(adminOne)).find(({ id }) => id === created.id);
  assert.ok(used?.last_used !== null && used?.last_used !== undefined && used.last_used >= created.created);

  const revoked = await revoke(adminOne, created.id);
  assert.equal(await isAllowed(key), false);
  assert.ok(revoked.revoked !== null && revoked.revoked >= used.last_used);
  const { status, revoked_by } = revoked;
  assert.deepEqual(revoked, { ...used, status: "revoked", revoked: revoked.revoked, revoked_by: created.created_by });
  assert.deepEqual([status, revoked_by], ["revoked", created.created_by]);
  assert.deepEqual(await revoke(adminOne, created.id), revoked);
  assert.deepEqual(
    (await listed(adminOne)).find(({ id }) => id === created.id),
    revoked,
  );
});

test("the secret is only in the response that creates the key, which must not be cached", async () => {
  const answer = await adminOne.call(createApiKey, createApiKey.path);
  const { key, id } = CreatedApiKey.parse(JSON.parse(textOf(answer)));
  assert.equal(answer.headers["cache-control"], "no-store");
  assert.equal(answer.headers.etag, undefined);
  const others = [await listed(adminOne), await activity(adminOne), await revoke(adminOne, id)];
  assert.ok(!JSON.stringify(others).includes(key.slice(12)));
});

test("the activity lists every creation and revocation once, newest first, with who and when", async () => {
  const before = await activity(adminOne);
  const { key: _, ...created } = await create(adminOne, "Audited");
  const revoked = await revoke(adminOne, created.id);
  await revoke(adminOne, created.id);
  const [last, previous, ...earlier] = await activity(adminOne);
  assert.deepEqual(earlier, before);
  const common = { actor: created.created_by, key_id: created.id, key_name: "Audited", key_prefix: created.prefix };
  const of = { id: previous?.id, actor_id: previous?.actor_id };
  assert.deepEqual(previous, { ...of, action: "created", time: created.created, ...common });
  assert.deepEqual(last, { ...of, id: last?.id, action: "revoked", time: revoked.revoked, ...common });
});

test("each of many concurrent creations makes one key that is listed, works and can be revoked", async () => {
  const made = await Promise.all(Array.from({ length: 12 }, () => create(adminOne, "Double click")));
  assert.equal(new Set(made.flatMap(({ id, key }) => [id, key])).size, 24);
  const ids = (await listed(adminOne)).map(({ id }) => id);
  for (const { id, key } of made) {
    assert.ok(ids.includes(id));
    assert.equal(await isAllowed(key), true);
  }
  await Promise.all(made.map(({ id }) => revoke(adminOne, id)));
  for (const { key } of made) assert.equal(await isAllowed(key), false);
});

test("many concurrent revocations all return the same, and the activity lists one", async () => {
  const { id } = await create(adminOne, "Revoked by many");
  const [first, ...others] = await Promise.all(Array.from({ length: 12 }, () => revoke(adminOne, id)));
  for (const other of others) assert.deepEqual(other, first);
  const noted = (await activity(adminOne)).filter(({ key_id, action }) => key_id === id && action === "revoked");
  assert.equal(noted.length, 1);
});

test("a super-admin of another organisation sees neither the key nor its activity, and cannot revoke it", async () => {
  const { key, id } = await create(adminOne, "Of organisation 1");
  const seen = JSON.stringify([await listed(adminTwo), await activity(adminTwo)]);
  assert.ok(!seen.includes(id));
  const path = withId(revokeApiKey, id);
  const foreign = await adminTwo.call(revokeApiKey, path);
  assertProblem(foreign, "not_found");
  const unknown = await adminTwo.call(revokeApiKey, withId(revokeApiKey, unknownIdFor(revokeApiKey)));
  assert.deepEqual(comparable(foreign), comparable(unknown));
  assert.equal(await isAllowed(key), true);
  assert.equal((await listed(adminOne)).find((one) => one.id === id)?.status, "active");
});

test("a refused creation makes no key", async () => {
  const before = await listed(adminOne);
  for (const body of ['{"name":"x"}', '{"name":"x","scopes":["admin"]}', '{"name":"x","scopes":[],"id":"1"}', "{"]) {
    assertProblem(await adminOne.call(createApiKey, createApiKey.path, { body }), "invalid_request");
  }
  const query = await adminOne.call(createApiKey, `${createApiKey.path}?dry_run=1`);
  assertProblem(query, "invalid_request");
  assert.deepEqual(await listed(adminOne), before);
});

test("a name may be in any language and up to 100 characters long", async () => {
  for (const name of [
    "音楽 – Büro 👩‍💻",
    "a".repeat(100),
    "🎟".repeat(100),
    "O'Neill & <b>Söhne</b>",
    '"quoted" \\ {name}',
  ]) {
    const created = await create(adminOne, name);
    assert.equal(created.name, name);
    const { name: shown } = z.object({ name: z.string() }).parse(await clientOf(baseUrl, created.key).json("/v1/key"));
    assert.equal(shown, name);
    await revoke(adminOne, created.id);
  }
});
