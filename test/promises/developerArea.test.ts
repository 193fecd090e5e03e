import assert from "node:assert/strict";
import { beforeAll, describe, test } from "@jest/globals";
import { Activity } from "../../functions/audit/activityRepository.ts";
import { createApiKey } from "../../functions/endpoints/createApiKey.ts";
import { getApiKeyUsage } from "../../functions/endpoints/getApiKeyUsage.ts";
import { getOrder } from "../../functions/endpoints/getOrder.ts";
import { listApiKeyActivity } from "../../functions/endpoints/listApiKeyActivity.ts";
import { listApiKeyFailures } from "../../functions/endpoints/listApiKeyFailures.ts";
import { listApiKeys } from "../../functions/endpoints/listApiKeys.ts";
import { revokeApiKey } from "../../functions/endpoints/revokeApiKey.ts";
import { updateOrder } from "../../functions/endpoints/updateOrder.ts";
import { ApiKey, CreatedApiKey } from "../../functions/keys/apiKey.ts";
import { KeyFailure, KeyUsage } from "../../functions/keys/keyUsage.ts";
import { clientOf } from "../support/http/client.ts";
import { unknownIdFor, withId } from "../support/http/examples.ts";
import { type Answer, textOf } from "../support/http/send.ts";
import { ownOrganisation } from "../support/service/ownOrganisation.ts";
import { baseUrl, createKey } from "../support/service/testedService.ts";
import { until } from "../support/service/until.ts";

const { admin } = await ownOrganisation("developerArea");
const create = (name: string, scopes: string[] = []) => createKey(admin, { name, scopes });

async function revoke(id: string) {
  const answer = await admin.call(revokeApiKey, withId(revokeApiKey, id));
  assert.equal(answer.status, 200, textOf(answer));
  return ApiKey.parse(JSON.parse(textOf(answer)));
}

const listed = async () => ApiKey.array().parse(await admin.rows(listApiKeys.path));
const activity = async () => Activity.array().parse(await admin.rows(listApiKeyActivity.path));
const isAllowed = async (key: string) => (await clientOf(baseUrl, key).get("/v1/key")).status === 200;

test("a key works until a super-admin revokes it, and the list shows its state", async () => {
  const { key, ...created } = await create("  Büro 👩‍💻 – 音楽 ", ["write:orders"]);
  const { name, scopes, prefix, id } = created;
  assert.deepEqual([name, scopes, prefix], ["Büro 👩‍💻 – 音楽", ["read", "write:orders"], key.slice(0, 12)]);
  assert.deepEqual([created.status, created.last_used, created.revoked], ["active", null, null]);
  assert.deepEqual((await listed())[0], created);

  const { rate_limit: _, ...calling } = Object(await clientOf(baseUrl, key).json("/v1/key"));
  assert.deepEqual(calling, { name, prefix, scopes, organisation_id: admin.organisationId });
  const used = (await listed()).find((one) => one.id === id);
  assert.ok(String(used?.last_used) >= created.created);

  const revoked = await revoke(id);
  assert.equal(await isAllowed(key), false);
  assert.ok(String(revoked.revoked) >= String(used?.last_used));
  const end = { status: "revoked", revoked: revoked.revoked, revoked_by: created.created_by };
  assert.deepEqual(revoked, { ...used, ...end });
  assert.deepEqual(
    (await listed()).find((one) => one.id === id),
    revoked,
  );
});

test("revoking a key again succeeds and changes nothing, also at once", async () => {
  const { id } = await create("Revoked by many");
  const [first, ...others] = await Promise.all(Array.from({ length: 12 }, () => revoke(id)));
  for (const other of [...others, await revoke(id)]) assert.deepEqual(other, first);
  const noted = (await activity()).filter(({ key_id, action }) => key_id === id && action === "revoked");
  assert.equal(noted.length, 1);
});

test("the secret is shown once, in a response that must not be cached", async () => {
  const answer = await admin.call(createApiKey, createApiKey.path);
  const { key, id } = CreatedApiKey.parse(JSON.parse(textOf(answer)));
  assert.deepEqual([answer.headers["cache-control"], answer.headers.etag], ["no-store", undefined]);
  const others = [await listed(), await activity(), await revoke(id)];
  assert.ok(!JSON.stringify(others).includes(key.slice(12)));
});

test("the activity lists everything that people did to keys, with the person and the time", async () => {
  const before = await activity();
  const { id: key_id, prefix: key_prefix, created_by: actor, scopes, created } = await create("Audited");
  const { revoked } = await revoke(key_id);
  const [last, previous, ...earlier] = await activity();
  assert.deepEqual(earlier, before);
  const key = { key_id, key_name: "Audited", key_prefix };
  const nothing = { former_name: null, webhook_id: null, url: null };
  const common = { kind: "api_key", actor, actor_id: last?.actor_id, ...key, ...nothing };
  assert.deepEqual(previous, { ...common, id: previous?.id, action: "created", time: created, scopes });
  assert.deepEqual(last, { ...common, id: last?.id, action: "revoked", time: revoked, scopes: null });
});

describe("a key's page", () => {
  let id = "";
  let statuses: Answer[] = [];
  const usage = async () => KeyUsage.parse(await admin.json(`${withId(getApiKeyUsage, id)}?days=2`));
  const total = ({ days }: KeyUsage, name: "requests" | "client_errors" | "server_errors") =>
    days.reduce((sum, day) => sum + day[name], 0);

  beforeAll(async () => {
    const created = await create("Counted");
    id = created.id;
    const holder = clientOf(baseUrl, created.key);
    statuses = await Promise.all([
      ...Array.from({ length: 3 }, () => holder.get("/v1/key")),
      ...Array.from({ length: 2 }, () => holder.get(withId(getOrder, unknownIdFor(getOrder)))),
      holder.call(updateOrder, withId(updateOrder, 1)),
    ]);
    await until(async () => total(await usage(), "requests") >= statuses.length);
  });

  test("shows its requests of the last days, with the mistakes in requests and the faults", async () => {
    const used = await usage();
    const totals = (["requests", "client_errors", "server_errors"] as const).map((name) => total(used, name));
    assert.deepEqual([used.days.length, ...totals], [2, 6, 3, 0]);
    const counted = used.operations.map(({ operation_id, requests }) => `${operation_id} ${requests}`);
    assert.deepEqual(counted, ["getKey 3", "getOrder 2", "updateOrder 1"]);
  });

  test("lists its latest failed requests with the reason", async () => {
    const failures = KeyFailure.array().parse(await admin.rows(withId(listApiKeyFailures, id)));
    const refused = statuses.filter(({ status }) => status >= 400).map(({ headers }) => headers["x-request-id"]);
    assert.ok(failures.every(({ request_id }) => refused.includes(request_id)));
    assert.equal(
      failures.reduce((sum, { count }) => sum + count, 0),
      refused.length,
    );
    const described = failures.map((each) =>
      [each.operation_id, each.method, each.path, each.status, each.code, each.detail, each.required_scope].join(" "),
    );
    assert.deepEqual(described.toSorted(), [
      "getOrder GET /v1/orders/{id} 404 not_found No such order. ",
      "updateOrder PATCH /v1/orders/1 403 forbidden This key lacks the scope write:orders. write:orders",
    ]);
    const times = failures.map(({ time }) => time);
    assert.deepEqual(times, times.toSorted().reverse());
  });
});

test("a key is revoked without a body, with null or {}", async () => {
  const headers = { "Content-Type": "application/json" };
  for (const body of [undefined, "null", "{}"]) {
    const { key, id } = await create("Revoked by a generated client");
    const answer = await admin.call(revokeApiKey, withId(revokeApiKey, id), { headers, body });
    assert.equal(answer.status, 200);
    assert.equal(await isAllowed(key), false);
  }
});
