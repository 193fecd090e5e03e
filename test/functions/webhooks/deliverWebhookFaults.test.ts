import assert from "node:assert/strict";
import { jest, test } from "@jest/globals";
import { horizonMs } from "../../../functions/changes/changeRepository.ts";
import { keys } from "../../../functions/table/keys.ts";
import { lists } from "../../../functions/table/lists.ts";
import { getItem, listAllItems } from "../../../functions/table/reads.ts";
import { putItem, updateItem } from "../../../functions/table/writes.ts";
import { disabledAfterMs, retryMs } from "../../../functions/webhooks/attempt.ts";
import { receiverTimeoutMs } from "../../../functions/webhooks/receiver.ts";
import { claimMs, markDue, productVersion, readWebhook } from "../../../functions/webhooks/storedWebhook.ts";
import { wakeDue } from "../../../functions/webhooks/wakeUp.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { interceptCalls } from "../../support/data/interceptCalls.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import {
  actor,
  bodies,
  change,
  create,
  dayMs,
  deliver,
  ids,
  repository,
  sender,
  setWebhook,
  show,
  state,
  table,
  useDeliveries,
} from "../../support/webhooks/deliveries.ts";

useDeliveries();

const iso = (aheadMs: number) => new Date(state.nowMs + aheadMs).toISOString();
const stored = (id: string) => readWebhook(table, state.organisationId, id);
const hourMs = 60 * 60 * 1_000;
/** By how much two clocks differ at most. */
const clocksDifferMs = 5_000;
/** Lets somebody change a webhook just before the next write, so that it finds another revision. */
function changeBeforeNextWrite(act: () => Promise<unknown>): void {
  interceptCalls(async ({ name }, send) => {
    if (name === "PutCommand") {
      jest.restoreAllMocks();
      await act();
    }
    return await send();
  });
}

test("messages say who sends them: product, version and address of the documentation", async () => {
  assert.equal(productVersion, packageJson.version);
  const { id } = await create();
  await change(1, "A");
  show();
  await deliver(id);
  const { accept, "user-agent": agent } = state.received[0]?.headers ?? {};
  assert.deepEqual(
    [accept, agent],
    ["*/*", `Ticketing-Webhooks/${packageJson.version} (+https://api.example/docs/webhooks.md)`],
  );
});

test("no message is started after the signal, and the webhook comes again at once", async () => {
  const { id } = await create();
  await change(1, "A");
  show();
  assert.equal(await deliver(id, { signal: AbortSignal.abort() }), 0);
  assert.deepEqual(state.received, []);
  assert.equal((await stored(id))?.claimed_until, null);
});

test("two runs at the same time post each message once, and the one that sends looks again", async () => {
  const { id } = await create();
  await change(1, "A");
  show();
  let other: number | undefined = -1;
  state.answers = [
    async () => {
      // Shown while the first message is on its way.
      await change(2, "B");
      state.nowMs += receiverTimeoutMs + clocksDifferMs;
      other = await deliver(id);
      return 200;
    },
  ];
  await deliver(id);
  assert.equal(other, undefined);
  assert.deepEqual(
    bodies().map(({ data }) => data.changes.map((one: { id: number }) => one.id)),
    [[1], [2]],
  );
});

test("after a crash while sending, the webhook is left alone until the claim ends, and then the same message is sent", async () => {
  const { id } = await create();
  await change(1, "A");
  show();
  const crash = {
    ...sender,
    post: async (...message: Parameters<typeof sender.post>) => {
      await sender.post(...message);
      throw new Error("killed");
    },
  };
  await assert.rejects(deliver(id, { sender: crash }), /killed/);
  assert.equal(await deliver(id), undefined);
  assert.equal(state.received.length, 1);
  // V8 reads the many digits of a claim as up to a second more.
  state.nowMs += claimMs + 1_000;
  await deliver(id);
  assert.equal(state.received.length, 2);
  assert.equal(new Set(ids()).size, 1);
});

test("a run whose claim is stored, but not answered, sends; a run that lost the claim to another does not", async () => {
  for (const isOwn of [true, false]) {
    const { id } = await create();
    await change(1, `${isOwn}`);
    show();
    state.received = [];
    interceptCalls(async ({ name }, send) => {
      if (name !== "PutCommand") return send();
      jest.restoreAllMocks();
      // As when the SDK repeats a write whose response was lost, or when another run was faster at the same moment.
      if (isOwn) await send();
      else await setWebhook(id, { claimed_until: iso(claimMs), revision: 9 });
      return send();
    });
    await deliver(id);
    assert.equal(state.received.length, isOwn ? 1 : 0);
  }
});

test("a wake-up whose change is not shown yet waits until it is", async () => {
  const { id } = await create();
  state.nowMs += 60_000;
  await change(1, "A");
  const until = iso(0);
  state.nowMs += horizonMs;
  const waitMs = (await deliver(id, { until })) ?? 0;
  assert.ok(waitMs > 0 && waitMs <= 2_000);
  state.nowMs += waitMs;
  assert.equal(await deliver(id, { until }), undefined);
  assert.equal(state.received.length, 1);
  // An earlier change does not wait with it.
  state.nowMs += 60_000;
  await change(2, "B");
  show();
  assert.ok(((await deliver(id, { until: iso(-horizonMs) })) ?? 0) > 0);
  assert.equal(state.received.length, 2);
  // A writer's clock was an hour ahead.
  assert.equal(await deliver(id, { until: iso(hourMs) }), 60_000);
});

test("a wake-up that finds the webhook claimed, or nearly due, comes again when its change is shown", async () => {
  for (const times of [{ claimed_until: iso(claimMs) }, { next_attempt: iso(5_000) }]) {
    const { id } = await create();
    await setWebhook(id, times);
    const waitMs = await deliver(id, { until: iso(-horizonMs) });
    assert.ok(waitMs !== undefined && waitMs > 0 && waitMs < 5_000);
  }
});

test("an attempt that cannot be recorded is a failure of ours", async () => {
  const { id } = await create();
  await change(1, "A");
  show();
  interceptCalls(async ({ input }, send) => {
    if (input.Item?.message_id) throw new Error("down");
    return await send();
  });
  await assert.rejects(deliver(id));
  jest.restoreAllMocks();
});

test("a webhook that somebody changes just before its claim is delivered, and one just before its mark is marked", async () => {
  const { id } = await create();
  await change(1, "A");
  show();
  changeBeforeNextWrite(() => repository().update(id, { description: "CRM" }, actor));
  await deliver(id);
  assert.equal(state.received.length, 1);
  changeBeforeNextWrite(() => repository().update(id, { description: "Newsletter" }, actor));
  await markDue(table, state.organisationId, id);
  assert.deepEqual([(await stored(id))?.description, (await stored(id))?.next_attempt], ["Newsletter", iso(12_000)]);
});

test("a mark leaves a planned attempt as it is", async () => {
  const { id } = await create();
  await setWebhook(id, { next_attempt: iso(hourMs), failures: 5 });
  await markDue(table, state.organisationId, id);
  assert.equal((await stored(id))?.next_attempt, iso(hourMs));
});

test("a restart from another position is another message", async () => {
  const { id } = await create();
  for (const _ of [1, 2]) {
    state.nowMs += 31 * dayMs;
    await deliver(id);
  }
  assert.deepEqual(
    bodies().map(({ type }) => type),
    ["restart", "restart"],
  );
  assert.equal(new Set(ids()).size, 2);
});

test("attempts are deleted after seven days", async () => {
  const { id } = await create();
  await change(1, "A");
  show();
  await deliver(id);
  const [attempt] = await listAllItems(table, lists.webhookDeliveries(state.organisationId, id));
  assert.equal(attempt?.expires_at, Math.floor(state.nowMs / 1_000) + 7 * 24 * 60 * 60);
});

test("a receiver's Retry-After postpones the next attempt, by twelve hours at most and never before its time", async () => {
  const { id } = await create();
  await change(1, "A");
  show();
  for (const [asked, waitedMs] of [
    [60_000, 60_000],
    [1_000, retryMs[1]],
    [100 * hourMs, 12 * hourMs],
  ] as const) {
    state.answers = [{ status: 503, retryAfterMs: asked }];
    assert.equal(await deliver(id), waitedMs);
    assert.equal((await stored(id))?.next_attempt, iso(waitedMs ?? 0));
    state.nowMs += waitedMs ?? 0;
  }
});

test("a retry waits from the end of the attempt that failed", async () => {
  const { id } = await create();
  await change(1, "A");
  show();
  const slowly = async () => {
    state.nowMs += 9_000;
    return 500;
  };
  state.answers = [slowly];
  const waitMs = await deliver(id);
  assert.equal((await stored(id))?.next_attempt, iso(waitMs ?? 0));
});

test.each<[string, () => Record<string, unknown>]>([
  [
    "the last message in the future",
    () => ({ last_sent: iso(hourMs), next_attempt: iso(hourMs + 5_000), failures: 1, failing_since: iso(hourMs) }),
  ],
  ["an attempt in 13 hours", () => ({ next_attempt: iso(13 * hourMs), failures: 1 })],
  ["a claim for an hour", () => ({ claimed_until: iso(hourMs) })],
  ["a message that was sent tomorrow", () => ({ last_sent: iso(dayMs) })],
  ["a look in a year", () => ({ look_at: iso(365 * dayMs) })],
])("a stored time that cannot be delays nothing: %s", async (_name, times) => {
  const { id } = await create();
  await change(1, "A");
  show();
  await setWebhook(id, times());
  state.answers = [500];
  assert.equal(await deliver(id), retryMs[times().failures === 1 ? 1 : 0]);
  assert.equal(state.received.length, 1);
  const { failing_since, last_sent, claimed_until, look_at = "" } = (await stored(id)) ?? {};
  assert.deepEqual([failing_since, last_sent, claimed_until], [iso(0), iso(0), null]);
  assert.ok(look_at <= iso(20 * dayMs));
});

test("the eighth failure disables a webhook, and no earlier one does, however long ago the first one was", async () => {
  for (const failures of [1, 6, 7]) {
    const { id } = await create(["event"]);
    await change(1, `${failures}`);
    show();
    const longAgo = iso(-disabledAfterMs - dayMs);
    await setWebhook(id, { failing_since: longAgo, failures });
    state.answers = [500];
    await deliver(id);
    const { status, failing_since } = (await stored(id)) ?? {};
    assert.deepEqual([status, failing_since], failures === 7 ? ["disabled", longAgo] : ["active", iso(0)]);
  }
});

test("a suspended organisation's webhooks send nothing and are not looked at again until it is resumed", async () => {
  const { id } = await create();
  await change(1, "A");
  show();
  const access = keys.access(state.organisationId);
  await putItem(table, { ...access, suspended: iso(0) });
  await setWebhook(id, { next_attempt: iso(0) });
  assert.equal(await deliver(id), undefined);
  assert.deepEqual([(await stored(id))?.next_attempt, state.received], [null, []]);
  await updateItem(table, access, { update: "REMOVE suspended" });
  await deliver(id);
  assert.equal(state.received.length, 1);
});

test("a look that somebody plans during an attempt stays planned, whatever the receiver answers", async () => {
  for (const status of [200, 500]) {
    const { id } = await create(["event"]);
    await change(1, `${status}`);
    show();
    let planned: string | null = "";
    state.answers = [
      async () => {
        planned = (await repository().update(id, { types: ["event", "order"] }, actor)).next_attempt;
        return status;
      },
    ];
    await deliver(id);
    assert.ok(planned);
    assert.equal((await stored(id))?.next_attempt, planned);
    const other = await create();
    const mark = () => markDue(table, state.organisationId, other.id).then(() => status);
    state.answers = [mark];
    await change(2, `${status}`);
    show();
    const marked = iso(12_000);
    await deliver(other.id);
    assert.equal((await stored(other.id))?.next_attempt, marked);
  }
});

test("the sweep finds what is due by the table's clock: marks, retries, and idle webhooks after 20 days", async () => {
  await useTestTable();
  const { webhook } = await repository().create({ url: "https://203.0.114.9/", types: null }, actor);
  const found = async () => (await wakeDue(table, state.nowMs)).woken;
  assert.equal(await found(), 0);
  show();
  assert.equal(await found(), 1);
  const { lateMs } = await wakeDue(table, state.nowMs);
  assert.equal(lateMs, state.nowMs - Date.parse(webhook.next_attempt ?? ""));
  await deliver(webhook.id);
  assert.equal(await found(), 0);
  state.nowMs += 20 * dayMs + 60_000;
  assert.equal(await found(), 1);
  const { look_at = "" } = (await stored(webhook.id)) ?? {};
  assert.equal((await wakeDue(table, state.nowMs)).lateMs, state.nowMs - Date.parse(look_at));
  await deliver(webhook.id);
  assert.equal(await found(), 0);
  // A busy webhook's look is planned anew before it is due.
  state.nowMs += 11 * dayMs;
  await deliver(webhook.id);
  assert.equal((await stored(webhook.id))?.look_at, iso(20 * dayMs));
  // And so is the look of one that never rests.
  state.nowMs += 11 * dayMs;
  await change(1, "A");
  show();
  state.answers = [500];
  await deliver(webhook.id);
  assert.equal((await stored(webhook.id))?.look_at, iso(20 * dayMs));
  await repository().update(webhook.id, { status: "paused" }, actor);
  state.nowMs += 30 * dayMs;
  assert.equal(await found(), 0);
  assert.equal((await getItem(table, keys.webhook(state.organisationId, webhook.id)))?.GSI4PK, undefined);
});

test("lateness is what we add: not the time until a change is shown, a receiver's slowness, nor its failures", async () => {
  const late = async (id: string) => {
    const delivered = { messages: 0, failures: 0, lateMs: 0 };
    await deliver(id, { delivered });
    return delivered.lateMs;
  };
  const { id } = await create();
  await change(1, "A");
  state.nowMs += horizonMs + 2_000;
  assert.equal(await late(id), 2_000);
  await change(2, "A");
  await change(3, "A");
  show();
  state.answers = [500, 500];
  await late(id);
  for (const ms of retryMs.slice(0, 2)) {
    state.nowMs += ms;
    assert.equal(await late(id), 0);
  }
  await change(5, "A");
  state.nowMs += 4_000;
  await change(6, "A");
  state.nowMs += horizonMs - 2_000;
  // Meanwhile the second change is shown.
  const slowly = async () => {
    state.nowMs += 9_000;
    return 200;
  };
  state.answers = [slowly];
  assert.equal(await late(id), 2_000);
  await change(4, "A");
  state.nowMs += horizonMs + 400_000;
  assert.equal(await late(id), 400_000);
});
