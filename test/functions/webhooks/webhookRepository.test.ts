import assert from "node:assert/strict";
import { afterEach, beforeEach, jest, test } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { activityRepository } from "../../../functions/audit/activityRepository.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { signingSecret } from "../../../functions/webhooks/signature.ts";
import { itemOf, type StoredWebhook } from "../../../functions/webhooks/storedWebhook.ts";
import { Replay, WebhookInput, WebhookUpdate } from "../../../functions/webhooks/webhook.ts";
import { interceptCalls } from "../../support/data/interceptCalls.ts";
import { dumpTable } from "../../support/data/table.ts";
import { useTestQueues } from "../../support/data/testQueues.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import {
  actor,
  atTime,
  mac,
  now,
  posted,
  problemOf,
  repository,
  storedOf,
} from "../../support/webhooks/repositories.ts";

const url = "https://93.184.215.14/hook?token=7";
const page = { per_page: 50 };
const dayMs = 24 * 60 * 60 * 1_000;
const baseUrl = "https://api.example.org";

const queues = await useTestQueues();
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
  assert.equal(secret, await signingSecret(mac, { organisationId: 1, webhookId: id, version: 1, isText: true }));
  assert.equal(isReplayed, false);
  assert.deepEqual(await repository().get(id), { id, created, ...others });
  assert.deepEqual((await repository().list(page)).data, [{ id, created, ...others }]);
  assert.ok(!JSON.stringify(await dumpTable()).includes("whsec_"));
  const foreign = [repository(2).get(id), repository(2).delete(id, actor), repository(2).test(id, baseUrl)];
  for (const { code } of await Promise.all(foreign.map(problemOf))) assert.equal(code, "not_found");
});

test("a webhook of an earlier release keeps its secret, and its rotation makes one whose key is text", async () => {
  const { id } = (await repository().create({ url }, actor)).webhook;
  const { text_secret_from: _, ...earlier } = itemOf(await storedOf(id));
  await putItem(openTable(), earlier);
  const secretOfVersion = (version: number, isText: boolean) =>
    signingSecret(mac, { organisationId: 1, webhookId: id, version, isText });
  const { webhook } = await repository().rotateSecret(id, actor);
  assert.equal(webhook.secret, await secretOfVersion(2, true));
  await repository().test(id, baseUrl);
  const [{ headers, body } = { headers: {}, body: "" }] = posted.slice(-1);
  for (const secret of [await secretOfVersion(1, false), webhook.secret])
    assert.ok(new Webhook(secret).verify(body, { ...headers }));
  for (const wrong of [await secretOfVersion(1, true), await secretOfVersion(2, false)])
    assert.throws(() => new Webhook(wrong).verify(body, { ...headers }));
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

test("other types begin at the webhook's position, and a deletion is final", async () => {
  const { id } = (await repository().create({ url, types: ["order"] }, actor)).webhook;
  const before = await storedOf(id);
  assert.deepEqual((await repository().update(id, { types: ["event", "ticket"] }, actor)).types, ["event", "ticket"]);
  const after = await storedOf(id);
  assert.notEqual(before.position, after.position);
  await repository().update(id, { types: ["order"] }, actor);
  assert.equal((await storedOf(id)).position, before.position);
  await repository().delete(id, actor);
  const late = [repository().delete(id, actor), repository().update(id, { status: "active" }, actor)];
  for (const { code } of await Promise.all(late.map(problemOf))) assert.equal(code, "not_found");
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
    [{ url: "https://bücher.example:8443/hook" }, /^url: The host must be in ASCII: xn--bcher-kva\.example:8443\.$/],
    [{ url: "https:hooks.example.org/x" }, /^url: Must be an absolute https URL\./],
    [{ url: "https:/hooks.example.org/x" }, /^url: Must be an absolute https URL\./],
    [{ url: "https:\\\\hooks.example.org" }, /^url: Must be an absolute https URL\./],
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

test("of two concurrent deletions, the later one gets 404, and only one is in the audit trail", async () => {
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

const failing = { failing_since: "2031-05-05T09:00:00.000Z", failures: 5, next_poll: "2031-05-05T11:00:00.000Z" };
const idle = { next_poll: "2031-05-25T10:00:00.000Z" };
const soon = "2031-05-05T10:00:07.000Z";

/** Makes a webhook that was created before {@link now}, and waits for a change apart from these settings. */
async function stage(settings: Partial<StoredWebhook> = {}): Promise<StoredWebhook> {
  const { id } = (await atTime(now - 60_000).create({ url }, actor)).webhook;
  const stored = { ...(await storedOf(id)), ...idle, ...settings };
  await putItem(openTable(), itemOf(stored));
  await queues.webhooks.purge();
  return stored;
}

const woken = () => queues.webhooks.delayed().map(({ body }) => JSON.parse(body).id);
const otherUrl = "https://93.184.215.15/hook";

test.each([
  [
    "a creation",
    () =>
      atTime(now)
        .create({ url }, actor)
        .then(({ webhook }) => webhook),
    undefined,
  ],
  ["another URL", (id: string) => atTime(now).update(id, { url: otherUrl }, actor), null],
  ["other types", (id: string) => atTime(now).update(id, { types: ["order"] }, actor), failing],
  ["a continuation", (id: string) => atTime(now).update(id, { status: "active" }, actor), failing.failing_since],
  ["a replay", (id: string) => atTime(now).replay(id, "2031-05-01", actor), failing.failing_since],
])("%s is followed by a poll within seconds, also of a failing webhook", async (_name, act, expected) => {
  const staged = expected === undefined ? undefined : await stage(failing);
  const { id, next_attempt } = await act(staged?.id ?? "");
  assert.deepEqual([next_attempt, woken()], [soon, [id]]);
  const { failing_since, failures, next_poll: stored } = await storedOf(id);
  assert.equal(stored, soon);
  // A repaired receiver counts as failing until it accepts a message.
  const isKept = expected === failing;
  assert.deepEqual([failing_since, failures], isKept ? [failing.failing_since, 5] : [expected ?? null, 0]);
});

test("a paused webhook is neither polled nor woken, whatever else is changed", async () => {
  const { id } = await stage(failing);
  assert.equal((await atTime(now).update(id, { status: "paused" }, actor)).next_attempt, null);
  await atTime(now).update(id, { url: otherUrl, types: ["order"] }, actor);
  await atTime(now).replay(id, "2031-05-01", actor);
  assert.deepEqual([(await storedOf(id)).next_poll, woken()], [null, []]);
});

test("changing the description or secret does not reschedule attempts", async () => {
  const { revision, ...before } = await stage(failing);
  assert.equal((await atTime(now).update(before.id, { description: "CRM" }, actor)).description, "CRM");
  await atTime(now).rotateSecret(before.id, actor);
  await atTime(now).update(before.id, { earlier_secret_until: null, description: null }, actor);
  const after = { ...before, description: null, secret_version: 2, revision: revision + 3 };
  assert.deepEqual([await storedOf(before.id), woken()], [after, []]);
});

test("a webhook that waits for a change shows no next attempt, and one that waits for a retry shows it", async () => {
  const [waiting, retried] = [await stage(), await stage(failing)];
  assert.equal((await atTime(now).get(waiting.id)).next_attempt, null);
  const { data } = await atTime(now).list(page);
  const shown = new Map(data.map(({ id, next_attempt }) => [id, next_attempt]));
  assert.deepEqual([shown.get(waiting.id), shown.get(retried.id)], [null, failing.next_poll]);
});
