import assert from "node:assert/strict";
import { test } from "@jest/globals";
import * as z from "zod";
import { createApiKey } from "../../functions/endpoints/createApiKey.ts";
import { getApiKeyUsage } from "../../functions/endpoints/getApiKeyUsage.ts";
import { getOrder } from "../../functions/endpoints/getOrder.ts";
import { listApiKeyActivity } from "../../functions/endpoints/listApiKeyActivity.ts";
import { listApiKeyFailures } from "../../functions/endpoints/listApiKeyFailures.ts";
import { listApiKeys } from "../../functions/endpoints/listApiKeys.ts";
import { revokeApiKey } from "../../functions/endpoints/revokeApiKey.ts";
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
  const nothing = { former_name: null, webhook_id: null, url: null };
  const of = { kind: "api_key", id: previous?.id, actor_id: previous?.actor_id, ...nothing };
  const scopes = created.scopes;
  assert.deepEqual(previous, { ...of, action: "created", time: created.created, ...common, scopes });
  assert.deepEqual(last, { ...of, id: last?.id, action: "revoked", time: revoked.revoked, ...common, scopes: null });
});

test("concurrent revocations return the same, and the activity lists one", async () => {
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
  const described = failures.map(
    ({ operation_id, method, path, status, code, detail, required_scope, parameters, reasons }) =>
      [operation_id, method, path, status, code, detail, required_scope, ...parameters, ...(reasons ?? [])].join(" "),
  );
  assert.deepEqual(described.toSorted(), [
    ...Array(3).fill("getOrder GET /v1/orders/{id} 404 not_found No such order. "),
    "listEvents GET /v1/events 400 invalid_request The query has invalid parameters.  per_page Must be an integer from 1 to 200.",
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

test("a key's failures contain no path segment or parameter name that a client invented", async () => {
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

test("a key is revoked without a body, with null or {}, and not with members", async () => {
  const headers = { "Content-Type": "application/json" };
  for (const body of [undefined, "null", "{}"]) {
    const { key, id } = await create(adminOne, "Revoked by a generated client");
    const path = withId(revokeApiKey, id);
    const refused = await adminOne.call(revokeApiKey, path, { body: '{"at": "2999-01-01"}', headers });
    assertProblem(refused, "invalid_request");
    assert.equal(await isAllowed(key), true);
    assert.equal((await adminOne.call(revokeApiKey, path, { headers, ...(body && { body }) })).status, 200);
    assert.equal(await isAllowed(key), false);
  }
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

test("an Idempotency-Key that is empty or too long creates no key", async () => {
  const body = JSON.stringify({ name: "Nameless", scopes: [] });
  const before = await listed(adminOne);
  for (const value of ["", "k".repeat(256)]) {
    const headers = { "Idempotency-Key": value };
    assertInvalidParameters(await adminOne.call(createApiKey, createApiKey.path, { body, headers }), "idempotency-key");
  }
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
