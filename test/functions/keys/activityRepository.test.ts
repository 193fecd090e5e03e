import assert from "node:assert/strict";
import { beforeAll, test } from "@jest/globals";
import { type Activity, activityRepository } from "../../../functions/keys/activityRepository.ts";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { openTable } from "../../../functions/table/table.ts";
import { someone } from "../../support/data/records.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { repository as webhooks } from "../../support/webhooks/repositories.ts";

const minuteMs = 60_000;

beforeAll(async () => {
  await useTestTable();
});

test("the activity of keys and webhooks is one list in order, page by page", async () => {
  const activity = activityRepository(1, openTable());
  const keys = apiKeyRepository(1, openTable());
  for (let round = 0; round < 3; round++) {
    const { stored } = await keys.create(`Key ${round}`, ["write:orders"], someone);
    const { id } = (await webhooks().create({ url: "https://93.184.215.14/hook" }, someone)).webhook;
    await keys.rename(stored.id, `Name ${round}`, someone);
    await keys.planRevocation(stored.id, new Date(Date.now() + minuteMs).toISOString(), someone);
    await webhooks().delete(id, someone);
    await keys.revoke(stored.id, someone);
  }
  const all = (await activity.list({ per_page: 50 })).data;
  assert.equal(all.length, 18);
  const ids = all.map(({ id }) => id);
  assert.deepEqual(ids, ids.toSorted().reverse());
  for (const per_page of [1, 2, 5, 18]) {
    const read: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await activity.list({ per_page, cursor });
      read.push(...page.data);
      cursor = page.pagination.next_cursor ?? undefined;
    } while (cursor !== undefined);
    assert.deepEqual(read, all);
  }
});

test("an entry has the members of its kind, and null for those of the other", async () => {
  const revokes_at = new Date(Date.now() + minuteMs).toISOString();
  const { stored } = await apiKeyRepository(2, openTable()).create("Key", [], someone, { revokes_at });
  const { id } = (await webhooks(2).create({ url: "https://93.184.215.14/hook" }, someone)).webhook;
  const { data } = await activityRepository(2, openTable()).list({ per_page: 50 });
  const entryOf = (kind: Activity["kind"]) => {
    const { id: _, time: __, ...entry } = data.find((one) => one.kind === kind) ?? assert.fail(kind);
    return entry;
  };
  const created = { action: "created", actor: someone.name, actor_id: someone.subject };
  const nothing = { former_name: null, revokes_at: null };
  assert.deepEqual(entryOf("api_key"), {
    ...{ kind: "api_key", ...created, ...nothing, webhook_id: null, url: null },
    ...{ key_id: stored.id, key_name: "Key", key_prefix: stored.prefix, scopes: ["read"], revokes_at },
  });
  assert.deepEqual(entryOf("webhook"), {
    ...{ kind: "webhook", ...created, ...nothing, webhook_id: id, url: "https://93.184.215.14/hook" },
    ...{ key_id: null, key_name: null, key_prefix: null, scopes: null },
  });
  const later = new Date(Date.now() + 2 * minuteMs).toISOString();
  await apiKeyRepository(2, openTable()).planRevocation(stored.id, later, someone);
  const [planned] = (await activityRepository(2, openTable()).list({ per_page: 1 })).data;
  assert.deepEqual([planned?.action, planned?.revokes_at], ["revocation_planned", later]);
});
