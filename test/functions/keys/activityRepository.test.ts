import assert from "node:assert/strict";
import { beforeAll, test } from "@jest/globals";
import { type Activity, activityRepository } from "../../../functions/keys/activityRepository.ts";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { openTable } from "../../../functions/table/table.ts";
import { someone } from "../../support/data/records.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { repository as webhooks } from "../../support/webhooks/repositories.ts";

beforeAll(async () => {
  await useTestTable();
});

test("an entry has the members of its kind, and null for those of the other", async () => {
  const { stored } = await apiKeyRepository(2, openTable()).create("Key", [], someone);
  const { id } = (await webhooks(2).create({ url: "https://93.184.215.14/hook" }, someone)).webhook;
  const { data } = await activityRepository(2, openTable()).list({ per_page: 50 });
  const entryOf = (kind: Activity["kind"]) => {
    const { id: _, time: __, ...entry } = data.find((one) => one.kind === kind) ?? assert.fail(kind);
    return entry;
  };
  const common = { action: "created", actor: someone.name, actor_id: someone.subject, former_name: null };
  const ofKey = { key_id: stored.id, key_name: "Key", key_prefix: stored.prefix, scopes: ["read"] };
  const ofWebhook = { webhook_id: id, url: "https://93.184.215.14/hook" };
  const without = (members: object) => Object.fromEntries(Object.keys(members).map((name) => [name, null]));
  assert.deepEqual(entryOf("api_key"), { kind: "api_key", ...common, ...ofKey, ...without(ofWebhook) });
  assert.deepEqual(entryOf("webhook"), { kind: "webhook", ...common, ...ofWebhook, ...without(ofKey) });
});
