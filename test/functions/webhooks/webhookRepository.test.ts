import assert from "node:assert/strict";
import { afterEach, beforeEach, jest, test } from "@jest/globals";
import { activityRepository } from "../../../functions/keys/activityRepository.ts";
import { openTable } from "../../../functions/table/table.ts";
import { signingSecret } from "../../../functions/webhooks/signature.ts";
import { readWebhook } from "../../../functions/webhooks/storedWebhook.ts";
import { Replay, WebhookInput, WebhookUpdate } from "../../../functions/webhooks/webhook.ts";
import { interceptCalls } from "../../support/data/interceptCalls.ts";
import { dumpTable } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { actor, atTime, mac, now, posted, problemOf, repository } from "../../support/webhooks/repositories.ts";

const url = "https://93.184.215.14/hook?token=7";
const page = { per_page: 50 };
const dayMs = 24 * 60 * 60 * 1_000;
const baseUrl = "https://api.example.org";

beforeEach(async () => {
  await useTestTable();
  posted.length = 0;
});
afterEach(() => {
  delete process.env.WEBHOOKS_ALLOW_LOOPBACK;
});

test("a new webhook is active, follows all types from now on, and shows its secret once", async () => {
  const { webhook, isReplayed } = await repository().create({ url }, actor);
  const { id, created, next_attempt, secret, ...shown } = webhook;
  const others = { ...shown, next_attempt };
  assert.deepEqual(others, {
    ...{ url, description: null, types: null, status: "active", created_by: "Ada" },
    ...{ delivered_until: null, failing_since: null, earlier_secret_until: null, next_attempt },
  });
  assert.equal(secret, await signingSecret(mac, { organisationId: 1, webhookId: id, version: 1 }));
  assert.equal(isReplayed, false);
  assert.deepEqual(await repository().get(id), { id, created, ...others });
  assert.deepEqual((await repository().list(page)).data, [{ id, created, ...others }]);
  assert.ok(!JSON.stringify(await dumpTable()).includes("whsec_"));
  const foreign = [repository(2).get(id), repository(2).delete(id, actor), repository(2).test(id, baseUrl)];
  for (const { code } of await Promise.all(foreign.map(problemOf))) assert.equal(code, "not_found");
});

test("the audit trail says who did what, without a query that could be a secret", async () => {
  const { id } = (await repository().create({ url }, actor)).webhook;
  await repository().update(id, { url: "https://93.184.215.15/new?token=8" }, { name: "Grace", subject: "2" });
  await repository().rotateSecret(id, actor);
  await repository().update(id, { earlier_secret_until: null }, actor);
  await repository().update(id, { earlier_secret_until: null, description: "CRM" }, actor);
  await repository().replay(id, new Date(Date.now() - 60_000).toISOString(), actor);
  await repository().delete(id, actor);
  const { data } = await activityRepository(1, openTable()).list(page);
  assert.deepEqual(
    data.map(({ actor_id }) => actor_id),
    ["1", "1", "1", "1", "1", "2", "1"],
  );
  assert.deepEqual(
    data.map(({ action, actor: name, webhook_id, url: shown }) => [action, name, webhook_id, shown]),
    [
      ["deleted", "Ada", id, "https://93.184.215.15/new"],
      ["replayed", "Ada", id, "https://93.184.215.15/new"],
      ["changed", "Ada", id, "https://93.184.215.15/new"],
      ["earlier_secret_ended", "Ada", id, "https://93.184.215.15/new"],
      ["secret_rotated", "Ada", id, "https://93.184.215.15/new"],
      ["changed", "Grace", id, "https://93.184.215.15/new"],
      ["created", "Ada", id, "https://93.184.215.14/hook"],
    ],
  );
});

test("the audit trail has the table's times", async () => {
  const { id, created } = (await atTime(now).create({ url }, actor)).webhook;
  await atTime(now + 1_000).update(id, { status: "paused" }, actor);
  await atTime(now + 2_000).rotateSecret(id, actor);
  await atTime(now + 3_000).delete(id, actor);
  const { data } = await activityRepository(1, openTable()).list(page);
  const seconds = data.map(({ time }) => (Date.parse(time) - now) / 1_000);
  assert.deepEqual([Date.parse(created), seconds], [now, [3, 2, 1, 0]]);
});

test("other types begin where the webhook is, and deletions of it are final", async () => {
  const { id } = (await repository().create({ url, types: ["order"] }, actor)).webhook;
  const before = await readWebhook(openTable(), 1, id);
  assert.deepEqual((await repository().update(id, { types: ["event", "ticket"] }, actor)).types, ["event", "ticket"]);
  const after = await readWebhook(openTable(), 1, id);
  assert.notEqual(before?.position, after?.position);
  await repository().update(id, { types: ["order"] }, actor);
  assert.equal((await readWebhook(openTable(), 1, id))?.position, before?.position);
  await repository().delete(id, actor);
  const late = [repository().delete(id, actor), repository().update(id, { status: "active" }, actor)];
  for (const { code } of await Promise.all(late.map(problemOf))) assert.equal(code, "not_found");
});

test("of two deletions at once, one succeeds and is in the audit trail", async () => {
  const { id } = (await repository().create({ url }, actor)).webhook;
  const deletions = await Promise.allSettled([1, 2, 3].map(() => repository().delete(id, actor)));
  assert.equal(deletions.filter(({ status }) => status === "fulfilled").length, 1);
  const { data } = await activityRepository(1, openTable()).list(page);
  assert.deepEqual(
    data.map(({ action }) => action),
    ["deleted", "created"],
  );
});

test("a description can be changed and removed", async () => {
  const { id } = (await repository().create({ url, description: "CRM" }, actor)).webhook;
  for (const description of ["Newsletter", null])
    assert.equal((await repository().update(id, { description }, actor)).description, description);
});

test("a test message says who sends it and when, returns the receiver's response and changes nothing", async () => {
  const { id } = (await repository().create({ url }, actor)).webhook;
  const before = await dumpTable();
  const outcome = { status: 204, duration_ms: 3, error: null, sent: true, response: "thanks" };
  assert.deepEqual(await atTime(now).test(id, baseUrl), outcome);
  assert.deepEqual(await dumpTable(), before);
  const [{ headers, body } = assert.fail()] = posted;
  assert.match(headers["user-agent"] ?? "", /\(\+https:\/\/api\.example\.org\/docs\//);
  assert.equal(headers["webhook-timestamp"], String(now / 1_000));
  assert.equal(JSON.parse(body).timestamp, "2031-05-05T10:00:00.000Z");
});

test("two secrets sign for 24 hours after a rotation, or until the earlier one is ended", async () => {
  const { id } = (await atTime(now).create({ url }, actor)).webhook;
  await atTime(now).rotateSecret(id, actor);
  await atTime(now + dayMs - 1).test(id, baseUrl);
  await atTime(now + dayMs).test(id, baseUrl);
  await atTime(now).update(id, { earlier_secret_until: null }, actor);
  await atTime(now).test(id, baseUrl);
  const signatures = posted.map(({ headers }) => headers["webhook-signature"]?.split(" ").length);
  assert.deepEqual(signatures, [2, 1, 1]);
});

test("hosts that are not public, in any notation, are refused and nothing is stored", async () => {
  for (const host of ["127.0.0.1", "2130706433", "[::ffff:169.254.169.254]", "localhost", "no-such-host.invalid"]) {
    const { code, members } = await problemOf(repository().create({ url: `https://${host}/` }, actor));
    assert.equal(code, "invalid_request", host);
    assert.match(
      JSON.stringify(members.errors),
      /"\/url","detail":"The host(.s name does not resolve| has no public address)/,
    );
  }
  assert.equal((await problemOf(repository().create({ url: "http://93.184.215.14/" }, actor))).code, "invalid_request");
  assert.deepEqual(await dumpTable(), []);
  const { id } = (await repository().create({ url }, actor)).webhook;
  const moved = repository().update(id, { url: "https://169.254.169.254/" }, actor);
  assert.equal((await problemOf(moved)).code, "invalid_request");
  assert.equal((await repository().get(id)).url, url);
  process.env.WEBHOOKS_ALLOW_LOOPBACK = "yes";
  await repository().create({ url: "http://127.0.0.1:9/" }, actor);
  assert.equal((await problemOf(repository().create({ url: "http://93.184.215.14/" }, actor))).code, "invalid_request");
});

test("wrong members are refused by name", () => {
  const problems = (schema: typeof WebhookInput | typeof WebhookUpdate | typeof Replay, value: object) =>
    schema.safeParse(value).error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];
  for (const [member, detail] of [
    [{ url: "ftp://example.org" }, /^url: Must be an absolute https URL\.$/],
    [{ url: "example.org" }, /^url: Must be an absolute https URL\.$/],
    [{ url: "https://ada:pw@example.org" }, /^url: Must not contain credentials\.$/],
    [{ url: "https://:pw@example.org" }, /^url: Must not contain credentials\.$/],
    [{ url: "https://ada@example.org" }, /^url: Must not contain credentials\.$/],
    [{ url: "https://example.org/#a" }, /^url: Must not contain a fragment\.$/],
    [{ url: "https://example.org/é" }, /^url: Must only contain visible ASCII/],
    [{ url: `https://example.org/${"a".repeat(2_000)}` }, /^url: Must have at most 2000 characters\.$/],
    [{ url: 7 }, /^url: Must be a string\.$/],
    [{ url, types: [] }, /^types: Must not be empty/],
    [{ url, types: ["order", "order"] }, /^types: Must not repeat a type\.$/],
    [{ url, types: ["orders"] }, /^types\.0: Must be one of event, /],
    [{ url, types: "order" }, /^types: Must be an array of types, or null\.$/],
    [{ url, description: "a".repeat(201) }, /^description: Must have at most 200 characters\.$/],
    [{ url, description: "a\nb" }, /^description: Must not contain control characters\.$/],
    [{ url, status: "paused" }, /Unrecognized key/],
  ] as const)
    assert.match(problems(WebhookInput, member).join("\n"), detail);
  assert.match(problems(WebhookUpdate, { status: "disabled" }).join(), /^status: Must be active or paused\.$/);
  assert.match(
    problems(WebhookUpdate, { earlier_secret_until: "2031-05-05T10:00:00.000Z" }).join(),
    /^earlier_secret_until: Must be null, which ends the earlier secret now\.$/,
  );
  assert.match(problems(WebhookUpdate, {}).join(), /Must have at least one member\.$/);
  assert.match(problems(Replay, { from: "yesterday" }).join(), /^from: Must be a date, YYYY-MM-DD, or a date and time/);
});

test("of two deletions at the same time, the later one gets 404, and only one is in the audit trail", async () => {
  const { id } = (await repository().create({ url }, actor)).webhook;
  interceptCalls(async ({ name }, send) => {
    if (name !== "TransactWriteCommand") return send();
    jest.restoreAllMocks();
    await repository().delete(id, actor);
    return send();
  });
  assert.equal((await problemOf(repository().delete(id, actor))).code, "not_found");
  const { data } = await activityRepository(1, openTable()).list(page);
  assert.deepEqual(
    data.map(({ action }) => action),
    ["deleted", "created"],
  );
});
