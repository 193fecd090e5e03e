import assert from "node:assert/strict";
import { beforeAll, describe, test } from "@jest/globals";
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
import { clientOf } from "../support/http/client.ts";
import { unknownIdFor, withId } from "../support/http/examples.ts";
import { type Answer, textOf } from "../support/http/send.ts";
import { adminOne, baseUrl, type Caller } from "../support/service/testedService.ts";
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
const failuresOf = async (id: string) => KeyFailure.array().parse(await adminOne.rows(withId(listApiKeyFailures, id)));
const isAllowed = async (key: string) => (await clientOf(baseUrl, key).get("/v1/key")).status === 200;

test("a key works until it is revoked, and is used, shown and refused as what it is", async () => {
  const { key, ...created } = await create(adminOne, "  Büro 👩‍💻 – 音楽 ", ["write:orders"]);
  const { name, scopes, prefix, id } = created;
  assert.deepEqual([name, scopes, prefix], ["Büro 👩‍💻 – 音楽", ["read", "write:orders"], key.slice(0, 12)]);
  assert.deepEqual([created.status, created.last_used, created.revoked], ["active", null, null]);
  assert.deepEqual((await listed(adminOne))[0], created);

  const { rate_limit: _, ...calling } = Object(await clientOf(baseUrl, key).json("/v1/key"));
  assert.deepEqual(calling, { name, prefix, scopes, organisation_id: 1 });
  const used = (await listed(adminOne)).find((one) => one.id === id);
  assert.ok(String(used?.last_used) >= created.created);

  const revoked = await revoke(adminOne, id);
  assert.equal(await isAllowed(key), false);
  assert.ok(String(revoked.revoked) >= String(used?.last_used));
  const end = { status: "revoked", revoked: revoked.revoked, revoked_by: created.created_by };
  assert.deepEqual(revoked, { ...used, ...end });
  assert.deepEqual(
    (await listed(adminOne)).find((one) => one.id === id),
    revoked,
  );
});

test("revoking a key again succeeds and changes nothing, also at once", async () => {
  const { id } = await create(adminOne, "Revoked by many");
  const [first, ...others] = await Promise.all(Array.from({ length: 12 }, () => revoke(adminOne, id)));
  for (const other of [...others, await revoke(adminOne, id)]) assert.deepEqual(other, first);
  const noted = (await activity(adminOne)).filter(({ key_id, action }) => key_id === id && action === "revoked");
  assert.equal(noted.length, 1);
});

test("the secret is shown once, in a response that must not be cached", async () => {
  const answer = await adminOne.call(createApiKey, createApiKey.path);
  const { key, id } = CreatedApiKey.parse(JSON.parse(textOf(answer)));
  assert.deepEqual([answer.headers["cache-control"], answer.headers.etag], ["no-store", undefined]);
  const others = [await listed(adminOne), await activity(adminOne), await revoke(adminOne, id)];
  assert.ok(!JSON.stringify(others).includes(key.slice(12)));
});

test("the activity lists everything that people did to keys, with the person and the time", async () => {
  const before = await activity(adminOne);
  const { id: key_id, prefix: key_prefix, created_by: actor, scopes, created } = await create(adminOne, "Audited");
  const { revoked } = await revoke(adminOne, key_id);
  const [last, previous, ...earlier] = await activity(adminOne);
  assert.deepEqual(earlier, before);
  const nothing = { former_name: null, webhook_id: null, url: null };
  const common = {
    kind: "api_key",
    actor,
    actor_id: last?.actor_id,
    key_id,
    key_name: "Audited",
    key_prefix,
    ...nothing,
  };
  assert.deepEqual(previous, { ...common, id: previous?.id, action: "created", time: created, scopes });
  assert.deepEqual(last, { ...common, id: last?.id, action: "revoked", time: revoked, scopes: null });
});

describe("a key's page", () => {
  let id = "";
  let statuses: Answer[] = [];
  beforeAll(async () => {
    const created = await create(adminOne, "Counted");
    id = created.id;
    const holder = clientOf(baseUrl, created.key);
    statuses = await Promise.all([
      ...Array.from({ length: 7 }, () => holder.get("/v1/key")),
      ...Array.from({ length: 3 }, () => holder.get(withId(getOrder, unknownIdFor(getOrder)))),
      holder.get("/v1/events?per_page=0"),
      holder.call(updateOrder, withId(updateOrder, 1)),
    ]);
  });
  const usage = async () => KeyUsage.parse(await adminOne.json(`${withId(getApiKeyUsage, id)}?days=2`));

  test("shows its requests of the last days, with the share of mistakes and faults", async () => {
    const total = ({ days }: KeyUsage, name: "requests" | "client_errors" | "server_errors") =>
      days.reduce((sum, day) => sum + day[name], 0);
    await until(async () => total(await usage(), "requests") >= statuses.length);
    const used = await usage();
    assert.equal(used.days.length, 2);
    assert.deepEqual(
      [total(used, "requests"), total(used, "client_errors"), total(used, "server_errors")],
      [statuses.length, 5, 0],
    );
    assert.deepEqual(used.operations, [
      { operation_id: "getKey", requests: 7 },
      { operation_id: "getOrder", requests: 3 },
      { operation_id: "listEvents", requests: 1 },
      { operation_id: "updateOrder", requests: 1 },
    ]);
  });

  test("lists its latest failed requests with the reason", async () => {
    const failures = await failuresOf(id);
    const refused = statuses.filter(({ status }) => status >= 400);
    assert.deepEqual(
      failures.map(({ request_id }) => request_id).toSorted(),
      refused.map(({ headers }) => String(headers["x-request-id"])).toSorted(),
    );
    const described = failures.map((each) =>
      [each.operation_id, each.method, each.path, each.status, each.code, each.detail, each.required_scope]
        .concat(each.parameters, each.reasons ?? [])
        .join(" "),
    );
    assert.deepEqual(described.toSorted(), [
      ...Array(3).fill("getOrder GET /v1/orders/{id} 404 not_found No such order. "),
      "listEvents GET /v1/events 400 invalid_request The query has invalid parameters.  per_page Must be an integer from 1 to 200.",
      "updateOrder PATCH /v1/orders/1 403 forbidden This key lacks the scope write:orders. write:orders",
    ]);
    const times = failures.map(({ time }) => time);
    assert.deepEqual(times, times.toSorted().reverse());
  });
});

test("a failure has of a path only words and ids, and of parameters only their names", async () => {
  const { key, id } = await create(adminOne, "Careless");
  const holder = clientOf(baseUrl, key);
  await holder.get("/v1/orders/ada@riverside.example");
  await holder.get(`/v1/events?token=${key}&ada@riverside.example=1&per_pag=5&cursor=secret-value`);
  await holder.get("/v1/orders/4929123412341234");
  await holder.get("/v1/events?per_page=0&4929123412341234=1");
  await until(async () => (await failuresOf(id)).length === 4);
  const text = JSON.stringify(await failuresOf(id));
  for (const written of ["ada@", 'per_pag"', "secret-value", "4929", key.slice(12)])
    assert.ok(!text.includes(written), written);
  assert.ok(text.includes('"path":"/v1/orders/{id}"') && text.includes('"per_page"'), text);
  await revoke(adminOne, id);
});

test("a key is revoked without a body, with null or {}", async () => {
  const headers = { "Content-Type": "application/json" };
  for (const body of [undefined, "null", "{}"]) {
    const { key, id } = await create(adminOne, "Revoked by a generated client");
    const answer = await adminOne.call(revokeApiKey, withId(revokeApiKey, id), { headers, body });
    assert.equal(answer.status, 200);
    assert.equal(await isAllowed(key), false);
  }
});
