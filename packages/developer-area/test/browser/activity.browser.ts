import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "@jest/globals";
import type { Page } from "playwright-core";
import { minutesAgo, problem, stagedActivity, stagedKey } from "./support/adminApi.ts";
import { DeveloperAreaTests } from "./support/developerAreaTests.ts";
import { stagedWebhook } from "./support/stagedWebhooks.ts";

const area = new DeveloperAreaTests();

/** Stages entries, latest first: the last of every 50 is a revocation by grace. */
function stageActivity(count: number) {
  for (let number = count; number > 0; number--) {
    const isRare = number % 50 === 1;
    const actor = isRare ? "grace@example.org" : "ada@example.org";
    area.stage.api.activity.push(
      stagedActivity({
        id: String(number),
        action: isRare ? "revoked" : "created",
        time: minutesAgo(count + 10 - number),
        actor,
        actor_id: actor,
        key_id: `id-${number}`,
        key_name: `Key ${number}`,
        key_prefix: `tsk_${String(number).padStart(8, "0")}`,
      }),
    );
  }
}

const entries = (page: Page) => page.locator(".activity li");
const requests = () => area.stage.requests.filter(({ path }) => path === "/admin/api-key-activity");

async function download(page: Page): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download CSV" }).click(),
  ]);
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
}

/** A row of the CSV with its times in UTC. */
const inUtc = (row: string) => row.replaceAll(/\d{4}-[-\dT:.]+[+-]\d\d:\d\d/g, (time) => new Date(time).toISOString());

test("filters find entries that are not loaded yet", async () => {
  stageActivity(500);
  const page = await area.openSignedIn("#activity");
  await page.getByText("Showing 50 entries.").waitFor();
  assert.equal(requests().length, 1);
  await page.getByLabel("Action").selectOption("revoked");
  await page.getByText("10 entries match.").waitFor();
  assert.equal(requests().length, 5, "100 at a time");
  await page.getByLabel("Person").selectOption("ada@example.org");
  await page.getByText("No entry matches.").waitFor();
  assert.ok(await page.getByRole("button", { name: "Download CSV" }).isDisabled());
  await page.getByLabel("Action").selectOption("");
  await page.getByText("Showing 50 entries.").waitFor();
  await page.getByLabel("Person").selectOption("");
  for (const search of ["key 477", "TSK_00000477"]) {
    await page.getByLabel("Key or webhook").fill(search);
    await page.getByText("1 entry matches.").waitFor();
    assert.match((await entries(page).textContent()) ?? "", /^ada@example\.org created Key 477 tsk_00000477/);
  }
});

test("a person who appears only in entries that are not loaded yet can be chosen", async () => {
  stageActivity(60);
  const grace = { status: "revoked" as const, revoked: minutesAgo(9), revoked_by: "grace@example.org" };
  area.stage.api.keys.push(stagedKey({ name: "Website", ...grace }));
  for (const entry of area.stage.api.activity.slice(0, 50)) entry.actor = "ada@example.org";
  const page = await area.openSignedIn("#activity");
  await page.getByLabel("Person").selectOption("grace@example.org");
  await page.getByText("1 entry matches.").waitFor();
});

test("loading all entries shows the progress and errors, and can be retried", async () => {
  stageActivity(300);
  const answered = Promise.withResolvers<undefined>();
  const page = await area.openSignedIn("#activity");
  await entries(page).first().waitFor();
  area.stage.intercept = ({ query }) => (query.has("cursor") ? answered.promise : undefined);
  await page.getByLabel("Action").selectOption("revoked");
  await page.getByText("Loading all entries: 100 so far…").waitFor();
  area.stage.intercept = ({ query }) =>
    query.get("cursor") === "200" ? problem(500, "Something went wrong.") : undefined;
  answered.resolve(undefined);
  await page.getByText("The activity could not be loaded").waitFor();
  area.stage.intercept = undefined;
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByText("6 entries match.").waitFor();
});

test("the CSV has all entries that match, in the browser's downloads", async () => {
  stageActivity(260);
  const page = await area.openSignedIn("#activity");
  const all = await download(page);
  assert.match(all.name, /^activity-\d{4}-\d\d-\d\d\.csv$/);
  const lines = all.text.split("\r\n");
  const [latest = assert.fail()] = area.stage.api.activity;
  assert.deepEqual(lines.slice(0, 2).map(inUtc), [
    "\uFEFFtime,kind,action,actor,key_id,key_name,key_prefix,former_name,scopes,webhook_id,url",
    `${latest.time},api_key,created,ada@example.org,id-260,Key 260,tsk_00000260,,,,`,
  ]);
  assert.equal(lines.length, 262);
  assert.equal(lines.at(-1), "");
  await page.getByLabel("Action").selectOption("revoked");
  await page.getByText("6 entries match.").waitFor();
  assert.equal((await download(page)).text.split("\r\n").length, 8);
});

test("the CSV quotes cells, and keeps spreadsheets from running them as formulas", async () => {
  stageActivity(7);
  const names = ['"Quoted", with comma', "=1+1", "+1", "-1", "@SUM(A1)", "\tTab", "Łódź = fine"];
  for (const [index, name] of names.entries()) Object.assign(area.stage.api.activity[index] ?? {}, { key_name: name });
  Object.assign(area.stage.api.activity[0] ?? {}, { actor: "\rgrace" });
  const { text } = await download(await area.openSignedIn("#activity"));
  const rows = text.split("\r\n").slice(1, -1);
  assert.match(rows[0] ?? "", /,api_key,created,"'\rgrace",id-7,"""Quoted"", with comma",/);
  for (const [index, cell] of ["'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\tTab", "Łódź = fine"].entries()) {
    assert.ok(rows[index + 1]?.includes(`,${cell},`), rows[index + 1]);
  }
});

test("each action is in words, with a link to its key", async () => {
  const key = stagedKey({ name: "CRM" });
  area.stage.api.keys.push(key);
  const entry = { time: minutesAgo(5), key_id: key.id, key_name: "CRM", key_prefix: "tsk_4fQ9wLxT" };
  area.stage.api.activity.push(
    stagedActivity({ ...entry, action: "archived" }),
    stagedActivity({ ...entry, action: "renamed", former_name: "Mailing" }),
    stagedActivity({ ...entry, action: "created", scopes: ["read", "write:orders"] }),
  );
  const page = await area.openSignedIn("#activity");
  await page.getByText("All 3 entries. Entries are kept until the organisation's data is erased.").waitFor();
  assert.deepEqual(
    (await entries(page).allTextContents()).map((text) => text.replace(/^ada@example.org (.*)5 minutes ago$/, "$1")),
    [
      "archived CRM tsk_4fQ9wLxT",
      "renamed “Mailing” to CRM tsk_4fQ9wLxT",
      "created CRM tsk_4fQ9wLxT: read everything, update order notes",
    ],
  );
  await entries(page).first().getByRole("link", { name: "CRM" }).click();
  await page.locator("h1", { hasText: "CRM" }).waitFor();
});

test("the activity of webhooks is in the list and the CSV", async () => {
  const webhook = stagedWebhook({ url: "https://crm.example.org/hook", created_by: "grace@example.org" });
  area.stage.webhooks.webhooks.push(webhook);
  const about = { kind: "webhook", webhook_id: webhook.id, url: webhook.url, time: minutesAgo(5) };
  const actions = ["deleted", "replayed", "earlier_secret_ended", "secret_rotated", "changed", "created"];
  stageActivity(1);
  area.stage.api.activity.unshift(...actions.map((action) => stagedActivity({ ...about, action })));
  const page = await area.openSignedIn("#activity");
  await page.getByLabel("Kind").selectOption("Webhooks");
  await page.getByText("6 entries match.").waitFor();
  assert.deepEqual(
    (await entries(page).allTextContents()).map((text) =>
      text.replace("ada@example.org ", "").replace(/ the webhook https:\/\/crm\.example\.org\/hook5 minutes ago$/, ""),
    ),
    ["deleted", "replayed changes to", "ended the earlier secret of", "rotated the secret of", "changed", "created"],
  );
  const [, row] = (await download(page)).text.split("\r\n");
  assert.equal(inUtc(row ?? ""), `${about.time},webhook,deleted,ada@example.org,,,,,,${webhook.id},${webhook.url}`);
  await entries(page).getByRole("link", { name: webhook.url }).first().click();
  await page.locator("h1", { hasText: "crm.example.org" }).waitFor();
});
