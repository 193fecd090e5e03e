import assert from "node:assert/strict";
import { beforeEach, describe, test } from "@jest/globals";
import type { Problem } from "../../../functions/problem.ts";
import { earlierSecretMs } from "../../../functions/webhooks/secretRotation.ts";
import { maximumWebhooks } from "../../../functions/webhooks/webhook.ts";
import { conflict, failing, useFaultyProxy } from "../../support/data/faultyProxy.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { actor, atTime, now, problemOf, repository, storedOf } from "../../support/webhooks/repositories.ts";

const url = "https://93.184.215.14/hook";
const count = async () => (await repository().list({ per_page: 50 })).data.length;

const proxy = await useFaultyProxy();
beforeEach(() => useTestTable());

/** The code and the detail of a request's problem. */
async function refusalOf(call: Promise<unknown>): Promise<string> {
  const { code, message } = await problemOf(call);
  return `${code}: ${message}`;
}

const replaced = "conflict: This request has succeeded before, but a later rotation replaced its secret.";
const mismatch = "idempotency_mismatch: This Idempotency-Key was already used for a different request.";
const tooMany = "conflict: The organisation already has 20 webhooks.";

const create = (key?: string) => repository().create({ url }, actor, key);

describe("a creation", () => {
  test("with the same Idempotency-Key returns the same webhook, one by one and at once, until it is deleted", async () => {
    const first = await create("key");
    const again = await create("key");
    assert.deepEqual([again.webhook, first.isReplayed, again.isReplayed], [first.webhook, false, true]);
    const together = await Promise.all([1, 2, 3].map(() => create("other")));
    assert.equal(new Set(together.map(({ webhook }) => webhook.id)).size, 1);
    assert.equal(together.filter(({ isReplayed }) => isReplayed).length, 2);
    assert.equal(await count(), 2);
    await repository().delete(first.webhook.id, actor);
    assert.equal(await refusalOf(create("key")), "conflict: The webhook that this request created was deleted.");
  });

  test("with the Idempotency-Key of another request is refused, and creates nothing", async () => {
    await repository().create({ url, types: ["order"], description: "CRM" }, actor, "key");
    for (const other of [
      { types: ["order" as const], description: "Newsletter" },
      { types: ["ticket" as const], description: "CRM" },
      { description: "CRM" },
    ])
      assert.equal(await refusalOf(repository().create({ url, ...other }, actor, "key")), mismatch);
    assert.equal(await count(), 1);
  });

  test("that is repeated after a rotation shows no other secret", async () => {
    const { id } = (await create("key")).webhook;
    await repository().rotateSecret(id, actor);
    assert.equal(await refusalOf(create("key")), replaced);
    assert.equal(await count(), 1);
  });
});

test("a creation of the 21st webhook is refused, even among concurrent ones, unless it repeats an earlier one", async () => {
  const untilKnown = async (): Promise<string> => {
    const outcome = await create().then(
      () => "created",
      (error: Problem) => error.message,
    );
    return outcome.endsWith("Retry the request.") ? untilKnown() : outcome;
  };
  await create("key");
  const outcomes = await Promise.all(Array.from({ length: maximumWebhooks + 5 }, untilKnown));
  assert.equal(outcomes.filter((outcome) => outcome === "created").length, maximumWebhooks - 1);
  assert.equal(await count(), maximumWebhooks);
  assert.equal(await refusalOf(create("new")), tooMany);
  assert.equal((await create("key")).isReplayed, true);
  await repository(2).create({ url }, actor);
});

test("a creation that conflicts with others tries again, and says so if it conflicts every time", async () => {
  proxy.faultOf = failing("TransactWriteItems", 2, conflict);
  await create();
  assert.equal(await count(), 1);
  proxy.faultOf = failing("TransactWriteItems", Infinity, conflict);
  const meanwhile = "conflict: Other webhooks are being created concurrently. Retry the request.";
  assert.equal(await refusalOf(create()), meanwhile);
});

test("one person's key does not replay another's secret", async () => {
  const other = { name: "Grace", subject: "2" };
  const { webhook } = await create("key");
  const theirs = await repository().create({ url }, other, "key");
  assert.notEqual(theirs.webhook.id, webhook.id);
  await atTime(now).rotateSecret(webhook.id, actor, "rotation");
  assert.match(await refusalOf(atTime(now).rotateSecret(webhook.id, other, "rotation")), /still signs/);
});

describe("a rotation", () => {
  const until = "2031-05-06T10:00:00.000Z";
  const stillSigns = `conflict: The earlier secret still signs until ${until}. To rotate now, first end it with PATCH and {"earlier_secret_until":null}.`;
  let id: string;
  let firstSecret: string;

  beforeEach(async () => {
    ({ id, secret: firstSecret } = (await atTime(now).create({ url }, actor)).webhook);
  });

  test("waits until the earlier secret has ended, unless it repeats a rotation", async () => {
    const first = await atTime(now).rotateSecret(id, actor, "key");
    assert.notEqual(first.webhook.secret, firstSecret);
    assert.deepEqual([first.webhook.earlier_secret_until, first.isReplayed], [until, false]);
    assert.deepEqual(await atTime(now + 1).rotateSecret(id, actor, "key"), { ...first, isReplayed: true });
    const justBefore = now + earlierSecretMs - 1;
    assert.equal(await refusalOf(atTime(justBefore).rotateSecret(id, actor)), stillSigns);
    assert.equal(await refusalOf(atTime(justBefore).rotateSecret(id, actor, "other")), stillSigns);
    const second = await atTime(now + earlierSecretMs).rotateSecret(id, actor, "other");
    assert.ok(![firstSecret, first.webhook.secret].includes(second.webhook.secret));
    assert.equal(await refusalOf(atTime(now).rotateSecret(id, actor, "key")), replaced);
  });

  test("with the Idempotency-Key of another request is refused", async () => {
    const { webhook } = await atTime(now).create({ url }, actor, "key");
    assert.equal(await refusalOf(atTime(now).rotateSecret(id, actor, "key")), mismatch);
    await atTime(now).rotateSecret(id, actor, "other");
    assert.equal(await refusalOf(atTime(now).rotateSecret(webhook.id, actor, "other")), mismatch);
    assert.equal((await storedOf(webhook.id)).secret_version, 1);
  });

  test("happens once if several are requested at once", async () => {
    const same = await Promise.all([1, 2, 3].map(() => atTime(now).rotateSecret(id, actor, "key")));
    assert.equal(new Set(same.map(({ webhook }) => webhook.secret)).size, 1);
    assert.equal(same.filter(({ isReplayed }) => isReplayed).length, 2);
    const later = atTime(now + earlierSecretMs);
    const different = await Promise.allSettled([1, 2, 3].map(() => later.rotateSecret(id, actor)));
    assert.equal(different.filter(({ status }) => status === "fulfilled").length, 1);
    assert.equal((await storedOf(id)).secret_version, 3);
  });

  test("is possible again once the earlier secret was ended on purpose", async () => {
    const { secret } = (await atTime(now).rotateSecret(id, actor, "key")).webhook;
    assert.equal((await atTime(now).update(id, { earlier_secret_until: null }, actor)).earlier_secret_until, null);
    assert.equal((await atTime(now).rotateSecret(id, actor, "key")).webhook.secret, secret);
    assert.notEqual((await atTime(now).rotateSecret(id, actor)).webhook.secret, secret);
  });

  test("of a webhook that does not exist, or is another organisation's, is refused", async () => {
    await atTime(now).rotateSecret(id, actor, "key");
    assert.equal(await refusalOf(repository(2).rotateSecret(id, actor)), "not_found: No such webhook.");
    await atTime(now).delete(id, actor);
    assert.equal(await refusalOf(atTime(now).rotateSecret(id, actor, "key")), "not_found: No such webhook.");
  });
});
