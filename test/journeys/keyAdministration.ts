import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "@jest/globals";
import * as z from "zod";
import { createApiKey } from "../../functions/endpoints/createApiKey.ts";
import { getApiKeyUsage } from "../../functions/endpoints/getApiKeyUsage.ts";
import { getOrder } from "../../functions/endpoints/getOrder.ts";
import { listAllApiKeyFailures } from "../../functions/endpoints/listAllApiKeyFailures.ts";
import { listApiKeyActivity } from "../../functions/endpoints/listApiKeyActivity.ts";
import { listApiKeyFailures } from "../../functions/endpoints/listApiKeyFailures.ts";
import { listApiKeys } from "../../functions/endpoints/listApiKeys.ts";
import { revokeApiKey } from "../../functions/endpoints/revokeApiKey.ts";
import { updateApiKey } from "../../functions/endpoints/updateApiKey.ts";
import { updateOrder } from "../../functions/endpoints/updateOrder.ts";
import { Activity } from "../../functions/keys/activityRepository.ts";
import { ApiKey, CreatedApiKey } from "../../functions/keys/apiKey.ts";
import { KeyFailure, KeyUsage } from "../../functions/keys/keyUsage.ts";
import { assertInvalidParameters, assertProblem } from "../support/http/assertProblem.ts";
import { clientOf } from "../support/http/client.ts";
import { unknownIdFor, withId } from "../support/http/examples.ts";
import { comparable, textOf } from "../support/http/send.ts";
import { adminOne, adminTwo, baseUrl, type Caller } from "../support/service/journeyService.ts";
import { until } from "../support/service/until.ts";

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
const activity = async (admin: Caller) => Activity.array().parse(await admin.rows(listApiKeyActivity.path));
const isAllowed = async (key: string) => (await clientOf(baseUrl, key).get("/v1/key")).status === 200;

test("a key is created, used, shown as used and revoked, and is refused from then on", async () => {
  const { key, ...created } = await create(adminOne, "  Nightly sync ", ["write:orders"]);
  assert.deepEqual([created.name, created.scopes], ["Nightly sync", ["read", "write:orders"]]);
  assert.deepEqual([created.status, created.last_used, created.revoked], ["active", null, null]);
  assert.equal(created.prefix, key.slice(0, 12));
  const [newest] = await listed(adminOne);
  assert.deepEqual(newest, created);

  const { rate_limit: _, ...calling } = Object(await clientOf(baseUrl, key).json("/v1/key"));
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
  const nothing = { former_name: null, revokes_at: null, webhook_id: null, url: null };
  const of = { kind: "api_key", id: previous?.id, actor_id: previous?.actor_id, ...nothing };
  const scopes = created.scopes;
  assert.deepEqual(previous, { ...of, action: "created", time: created.created, ...common, scopes });
  assert.deepEqual(last, { ...of, id: last?.id, action: "revoked", time: revoked.revoked, ...common, scopes: null });
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

test("a key's usage equals the requests made with it, and its failures can be looked up", async () => {
  const { key, id } = await create(adminOne, "Counted");
  const holder = clientOf(baseUrl, key);
  const usage = async () => KeyUsage.parse(await adminOne.json(`${withId(getApiKeyUsage, id)}?days=2`));
  const before = await usage();
  assert.deepEqual([before.days.length, before.operations], [2, []]);

  const missing = withId(getOrder, unknownIdFor(getOrder));
  const statuses = await Promise.all([
    ...Array.from({ length: 7 }, () => holder.get("/v1/key")),
    ...Array.from({ length: 3 }, () => holder.get(missing)),
    holder.get("/v1/events?per_page=0"),
    holder.call(updateOrder, withId(updateOrder, 1)),
  ]);
  const requests = statuses.length;
  const count = async () => (await usage()).days.reduce((sum, day) => sum + day.requests, 0);
  await until(async () => (await count()) >= requests);
  const { days, operations } = await usage();
  const total = (name: "requests" | "client_errors" | "server_errors") => days.reduce((sum, day) => sum + day[name], 0);
  assert.deepEqual([total("requests"), total("client_errors"), total("server_errors")], [requests, 5, 0]);
  assert.deepEqual(operations, [
    { operation_id: "getKey", requests: 7 },
    { operation_id: "getOrder", requests: 3 },
    { operation_id: "listEvents", requests: 1 },
    { operation_id: "updateOrder", requests: 1 },
  ]);

  const failures = KeyFailure.array().parse(await adminOne.rows(withId(listApiKeyFailures, id)));
  const refused = statuses.filter(({ status }) => status >= 400);
  assert.deepEqual(
    new Set(failures.map(({ request_id }) => request_id)),
    new Set(refused.map(({ headers }) => headers["x-request-id"])),
  );
  const described = failures.map(({ operation_id, method, path, status, code, detail, required_scope, parameters }) =>
    [operation_id, method, path, status, code, detail, required_scope, ...parameters].join(" "),
  );
  assert.deepEqual(described.toSorted(), [
    ...Array(3).fill("getOrder GET /v1/orders/{id} 404 not_found No such order. "),
    "listEvents GET /v1/events 400 invalid_request The query has invalid parameters.  per_page",
    "updateOrder PATCH /v1/orders/1 403 forbidden This key lacks the scope write:orders. write:orders",
  ]);
  assert.deepEqual(
    failures.map(({ time }) => time),
    failures
      .map(({ time }) => time)
      .toSorted()
      .reverse(),
  );
  await revoke(adminOne, id);
});

test("a request with a revoked key is counted, and is the latest failure of the key and of all keys", async () => {
  const { key, id } = await create(adminOne, "Still in use");
  await revoke(adminOne, id);
  const refused = await clientOf(baseUrl, key).get("/v1/events/7/dates");
  assertProblem(refused, "unauthorized");
  const isCounted = async () => {
    const { days } = KeyUsage.parse(await adminOne.json(`${withId(getApiKeyUsage, id)}?days=2`));
    return days.some((day) => day.refused === 1 && day.requests === 0);
  };
  await until(isCounted);
  const [failure] = KeyFailure.array().parse(await adminOne.rows(withId(listApiKeyFailures, id)));
  const { method, path, status, operation_id, detail } = failure ?? {};
  assert.deepEqual(
    [method, path, status, operation_id, detail],
    ["GET", "/v1/events/7/dates", 401, null, "The key was revoked."],
  );
  // Indexes are eventually consistent.
  const all = async () => KeyFailure.array().parse(await adminOne.rows(listAllApiKeyFailures.path));
  await until(async () => (await all()).some((one) => one.request_id === failure?.request_id && one.key_id === id));
  const foreign = KeyFailure.array().parse(await adminTwo.rows(listAllApiKeyFailures.path));
  assert.ok(!foreign.some(({ key_id }) => key_id === id));
});

test("nothing that a client wrote into a path or as a name is in the failures of its key", async () => {
  const { key, id } = await create(adminOne, "Careless");
  const holder = clientOf(baseUrl, key);
  await holder.get("/v1/orders/ada@riverside.example");
  await holder.get(`/v1/events?token=${key}&ada@riverside.example=1&per_pag=5&cursor=secret-value`);
  await holder.get("/v1/orders/4929123412341234");
  await holder.get("/v1/events?per_page=0&4929123412341234=1");
  const failures = async () => KeyFailure.array().parse(await adminOne.rows(withId(listApiKeyFailures, id)));
  await until(async () => (await failures()).length === 4);
  const text = JSON.stringify(await failures());
  for (const written of ["ada@", 'per_pag"', "secret-value", "4929", key.slice(12)])
    assert.ok(!text.includes(written), written);
  assert.ok(text.includes('"path":"/v1/orders/{id}"') && text.includes('"per_page"'), text);
  await revoke(adminOne, id);
});

test("a planned revocation is shown, can be moved and withdrawn, and refuses the key from its time on", async () => {
  const { key, id } = await create(adminOne, "Planned");
  const plan = async (at: string | null) => {
    const answer = await adminOne.call(revokeApiKey, withId(revokeApiKey, id), { body: JSON.stringify({ at }) });
    assert.equal(answer.status, 200, textOf(answer));
    return ApiKey.parse(JSON.parse(textOf(answer)));
  };
  const planned = await plan("2030-01-01T09:30:00+01:00");
  assert.deepEqual([planned.status, planned.revokes_at], ["active", "2030-01-01T08:30:00.000Z"]);
  assert.equal((await plan(null)).revokes_at, null);
  const at = new Date(Date.now() + 3_000).toISOString();
  await plan(at);
  assert.equal(await isAllowed(key), true);
  await until(async () => !(await isAllowed(key)));
  assert.ok(Date.now() >= Date.parse(at));
  const ended = (await listed(adminOne)).find((one) => one.id === id);
  assert.deepEqual([ended?.status, ended?.revoked, ended?.revokes_at], ["revoked", at, null]);
  const late = await adminOne.call(revokeApiKey, withId(revokeApiKey, id), { body: '{"at":null}' });
  assertProblem(late, "conflict");
  const noted = (await activity(adminOne)).filter(({ key_id }) => key_id === id);
  assert.deepEqual(
    noted.map(({ action, revokes_at }) => `${action} ${revokes_at}`),
    [
      `revocation_planned ${at}`,
      "revocation_withdrawn null",
      "revocation_planned 2030-01-01T08:30:00.000Z",
      "created null",
    ],
  );
});

test("a key is revoked at once without a body or with null, and not with an object without a time", async () => {
  for (const [body, status] of [
    ["{}", 400],
    ["null", 200],
  ] as const) {
    const { key, id } = await create(adminOne, "Revoked by a generated client");
    const answer = await adminOne.call(revokeApiKey, withId(revokeApiKey, id), { body });
    assert.equal(answer.status, status);
    assert.equal(await isAllowed(key), status === 400);
    await revoke(adminOne, id);
  }
});

test("a key is renamed, which the key itself shows, and another organisation cannot do it", async () => {
  const { key, id } = await create(adminOne, "Before");
  const rename = (admin: Caller, name: string) =>
    admin.call(updateApiKey, withId(updateApiKey, id), { body: JSON.stringify({ name }) });
  assert.equal(ApiKey.parse(JSON.parse(textOf(await rename(adminOne, " After ")))).name, "After");
  const { name } = z.object({ name: z.string() }).parse(await clientOf(baseUrl, key).json("/v1/key"));
  assert.equal(name, "After");
  assertProblem(await rename(adminTwo, "Taken"), "not_found");
  await revoke(adminOne, id);
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

test("a repeated creation with an Idempotency-Key returns the key's id and never a secret, and with another body makes none", async () => {
  const body = JSON.stringify({ name: "Answer lost", scopes: [] });
  const headers = { "Idempotency-Key": randomUUID() };
  const first = await adminOne.call(createApiKey, createApiKey.path, { body, headers });
  const before = await listed(adminOne);
  const { id, key } = CreatedApiKey.parse(JSON.parse(textOf(first)));
  const again = await adminOne.call(createApiKey, createApiKey.path, { body, headers });
  assert.equal(assertProblem(again, "conflict").key_id, id);
  assert.ok(!textOf(again).includes(key.slice(4, 16)));
  const other = JSON.stringify({ name: "Another", scopes: [] });
  assertProblem(await adminOne.call(createApiKey, createApiKey.path, { body: other, headers }), "idempotency_mismatch");
  assert.deepEqual(await listed(adminOne), before);
  assert.equal(await isAllowed(key), true);
  await revoke(adminOne, id);
  assert.equal(assertProblem(await adminOne.call(createApiKey, createApiKey.path, { body, headers })).key_id, id);
});

test("an Idempotency-Key that is empty or too long creates no key", async () => {
  const body = JSON.stringify({ name: "Nameless", scopes: [] });
  const before = await listed(adminOne);
  for (const value of ["", "k".repeat(256)]) {
    const headers = { "Idempotency-Key": value };
    assertInvalidParameters(await adminOne.call(createApiKey, createApiKey.path, { body, headers }), "idempotency-key");
  }
  assert.deepEqual(await listed(adminOne), before);
});

test("a key and its successor name each other, and a key with an active successor or that is revoked cannot be replaced", async () => {
  const { id } = await create(adminOne, "Predecessor");
  const replacing = { body: JSON.stringify({ name: "Successor", scopes: [], replaces: id }) };
  const answer = await adminOne.call(createApiKey, createApiKey.path, replacing);
  const successor = CreatedApiKey.parse(JSON.parse(textOf(answer)));
  assert.equal(successor.replaces, id);
  const { detail } = assertProblem(await adminOne.call(createApiKey, createApiKey.path, replacing), "conflict");
  assert.ok(detail.includes(successor.id), detail);
  assert.equal((await revoke(adminOne, id)).replaced_by, successor.id);
  assertProblem(await adminOne.call(createApiKey, createApiKey.path, replacing), "conflict");
  const foreign = { body: JSON.stringify({ name: "Successor", scopes: [], replaces: successor.id }) };
  assertProblem(await adminTwo.call(createApiKey, createApiKey.path, foreign), "conflict");
  await revoke(adminOne, successor.id);
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
