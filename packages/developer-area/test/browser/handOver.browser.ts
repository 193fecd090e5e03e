import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { BrowserContext, Page } from "playwright-core";
import { sealedLink } from "../../app/handOver/handOver.ts";
import { stagedKey } from "./support/adminApi.ts";
import { DeveloperAreaStage } from "./support/developerAreaStage.ts";
import { DeveloperAreaTests } from "./support/developerAreaTests.ts";
import { chooseMore, secretOn, traces } from "./support/openDeveloperArea.ts";

const area = new DeveloperAreaTests();

/** Creates a key and makes a link for it. */
async function madeLink() {
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Create the first key" }).click();
  await page.getByLabel("Name").fill("CRM – Zürich");
  await page.getByLabel("Update order notes").check();
  await page.getByLabel("For how long?").selectOption("30 days");
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  const secret = await secretOn(page);
  await page.getByRole("button", { name: "Send to a developer…" }).click();
  const message = await page.getByLabel("Message with a link").inputValue();
  const [link = ""] = /http\S+#hand-over\/\S+/.exec(message) ?? [];
  return { page, secret, message, link, code: await page.getByLabel("Code", { exact: true }).inputValue() };
}

/** A browser of somebody without an account, and everything that it sends, logs and keeps. */
async function recipient(link: string) {
  const context: BrowserContext = (await area.opened.context.browser()?.newContext()) ?? assert.fail();
  const page = await context.newPage();
  const recorded: string[] = [];
  page.on("request", (request) =>
    recorded.push(request.url(), JSON.stringify(request.headers()), request.postData() ?? ""),
  );
  page.on("console", (message) => recorded.push(message.text()));
  page.on("pageerror", ({ message }) => assert.fail(message));
  await page.goto(link);
  await page.getByRole("heading", { name: "A secret for you" }).waitFor();
  return { context, page, recorded };
}

async function enter(page: Page, code: string): Promise<void> {
  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Open" }).click();
}

test("a link and a code give the key to somebody without an account, with the address and a first request", async () => {
  const { link, code, secret, message } = await madeLink();
  assert.match(code, /^[0-9A-HJKMNP-TV-Z]{5}(-[0-9A-HJKMNP-TV-Z]{5}){2}$/);
  await area.inspect("hand-over-made");
  const { context, page } = await recipient(link);
  await enter(page, code);
  await page.getByText("This is the key “CRM – Zürich”").waitFor();
  assert.equal(await secretOn(page), secret);
  const facts = await page.locator(".facts > div").allInnerTexts();
  const until = String(area.stage.api.keys[0]?.revokes_at);
  assert.deepEqual(facts.slice(0, 2), [
    "Organisation\nOrganisation 1842",
    "Scopes\nRead everything read\nUpdate order notes write:orders",
  ]);
  assert.match(facts[2] ?? "", new RegExp(`^Ends\\n${new Date(until).getDate()} \\w+ \\d{4},? .*\\d\\d:\\d\\d \\S+$`));
  assert.equal(await page.getByLabel("Base URL").inputValue(), area.stage.origin);
  await page.getByRole("button", { name: "Show: A first request" }).click();
  assert.equal(
    await page.getByLabel("A first request", { exact: true }).inputValue(),
    `curl -H "Authorization: Bearer ${secret}" ${area.stage.origin}/v1/key`,
  );
  assert.ok(!message.includes(secret) && !message.includes(code) && !message.includes(code.replaceAll("-", "")));
  await context.close();
});

test("the secret of a hand-over is in no request, log, storage or history, of the sender or of the recipient", async () => {
  const { page: sender, link, code, secret } = await madeLink();
  const sent: string[] = [];
  area.stage.intercept = (request) => {
    sent.push(JSON.stringify(request));
    return undefined;
  };
  await sender.getByLabel("I have stored it").check();
  await sender.getByRole("button", { name: "Done" }).click();
  await sender.getByRole("rowheader", { name: "CRM – Zürich" }).waitFor();
  const kept = await traces(area.opened);
  const { context, page, recorded } = await recipient(link);
  await enter(page, code);
  await page.getByText("This is the key").waitFor();
  const history = await page.evaluate<string>(
    "JSON.stringify([location.href, history.state, { ...localStorage }, { ...sessionStorage }, document.cookie, document.title])",
  );
  const stored = JSON.stringify(await context.storageState({ indexedDB: true }));
  assert.ok(recorded.length > 0);
  for (const [place, text] of Object.entries({ kept, sent: sent.join(), requests: recorded.join(), history, stored })) {
    for (const part of [secret, secret.slice(12), code, code.replaceAll("-", "")]) {
      assert.ok(!text.includes(part), place);
    }
    // The recipient's own address has it, so that a reload asks for the code again.
    if (place !== "history") assert.ok(!text.includes("hand-over/"), `${place} has no link`);
  }
  await page.reload();
  await page.getByLabel("Code").waitFor();
  assert.equal(await page.getByText(secret.slice(0, 12)).count(), 0);
  await enter(page, code);
  await page.getByText("This is the key").waitFor();
  await page.getByText("The link also stays in this browser's history").waitFor();
  await context.close();
});

test("a link opens twice, with a code as people type it, and not with a wrong or missing one", async () => {
  const { link, code } = await madeLink();
  const { context, page } = await recipient(link);
  for (const wrong of ["", "4FQ9W", `${code}0`, "4FQ9W-2BYC8-XT3.M"]) {
    await enter(page, wrong);
    await page.getByText("A code has 15 letters and digits, such as 4FQ9W-2BYC8-XT3KM.").waitFor();
  }
  const mistyped = (code.startsWith("0") ? "1" : "0") + code.slice(1);
  await enter(page, mistyped);
  await page.getByText("This code does not open the link.").waitFor();
  await enter(page, ` ${code.toLowerCase().replaceAll("0", "o").replaceAll("1", "l").replaceAll("-", " – ")} `);
  await page.getByText("This is the key").waitFor();
  await context.close();
  const again = await recipient(link);
  await enter(again.page, code);
  await again.page.getByText("This is the key").waitFor();
  await again.context.close();
});

test("a link that was cut off or changed says so, whatever its length, and asks for no code", async () => {
  const { link } = await madeLink();
  const start = link.indexOf("#hand-over/") + "#hand-over/".length;
  const broken = [
    link.slice(0, start - 1),
    link.slice(0, start),
    link.slice(0, start + 30),
    link.slice(0, -1),
    `${link}x`,
  ];
  const middle = Math.floor((start + link.length) / 2);
  broken.push(link.slice(0, middle) + (link[middle] === "A" ? "B" : "A") + link.slice(middle + 1));
  for (const url of broken) {
    const { context, page } = await recipient(url);
    await page.getByText("This link is not valid").waitFor();
    assert.equal(await page.getByLabel("Code").count(), 0);
    await context.close();
  }
});

test("a link that is opened in a tab of the Developer area leads to the key, and Back from there to the list", async () => {
  const { page, link, code } = await madeLink();
  await page.getByLabel("I have stored it").check();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("rowheader").first().waitFor();
  await page.goto(link);
  await enter(page, code);
  await page.getByText("This is the key").waitFor();
  await area.inspect("hand-over-opened");
  await page.goBack();
  await page.getByRole("rowheader").first().waitFor();
});

test("a link is opened with the keyboard alone, and without JavaScript the page says what it needs", async () => {
  const { link, code } = await madeLink();
  const { context, page } = await recipient(link);
  await page.locator("input:focus").waitFor();
  await page.keyboard.type("1");
  await page.keyboard.press("Enter");
  await page.getByText("A code has 15 letters and digits").waitFor();
  await page.keyboard.press("Backspace");
  await page.keyboard.type(code);
  await page.keyboard.press("Enter");
  await page.locator("textarea:focus").waitFor();
  await context.close();
  const plain = (await area.opened.context.browser()?.newContext({ javaScriptEnabled: false })) ?? assert.fail();
  const without = await plain.newPage();
  await without.goto(link);
  assert.match(await without.locator("body").innerText(), /This page needs JavaScript, also to decrypt a secret/);
  await plain.close();
});

test("the page that asks for a code fits every screen and has no accessibility problem", async () => {
  const { link } = await madeLink();
  const page = area.opened.page;
  await page.getByLabel("I have stored it").check();
  await page.getByRole("button", { name: "Done" }).click();
  area.stage.api.keys.push(stagedKey({ name: "Website" }));
  await page.goto(link);
  await page.getByLabel("Code").waitFor();
  await area.inspect("hand-over-code");
  await enter(page, "00000-00000-00000");
  await page.getByText("This code does not open the link.").waitFor();
  await area.inspect("hand-over-wrong-code");
});

test("a link that is opened after the planned end of its key says that the key has ended", async () => {
  await area.open();
  const key = { kind: "key" as const, name: "Trial", secret: "tsk_4fQ9wLxT2bYc", scopes: ["read"], organisation: null };
  const { origin } = area.stage;
  const { context, page } = await recipient(
    await sealedLink({ ...key, revokes_at: "2026-01-31T11:00:00.000Z" }, "4FQ9W2BYC8XT3KM", origin),
  );
  await enter(page, "4FQ9W-2BYC8-XT3KM");
  await page.locator(".facts > div", { hasText: "31 Jan 2026" }).getByText("Ended").waitFor();
  await context.close();
});

test("a link of another service says that it is not valid, also with its code", async () => {
  const { link, code } = await madeLink();
  const elsewhere = await DeveloperAreaStage.start();
  const { context, page } = await recipient(elsewhere.origin + link.slice(area.stage.origin.length));
  await enter(page, code);
  await page.getByText("This link is not valid").waitFor();
  await context.close();
  await elsewhere.stop();
});

test("a webhook's signing secret is sent in the same way, also after a rotation", async () => {
  const page = await area.openSignedIn("#webhooks");
  await page.getByRole("button", { name: "Create the first webhook" }).click();
  await page.getByLabel("Address").fill("https://crm.example.org/hook");
  await page.getByLabel("Description").fill("CRM");
  await page.getByRole("dialog").getByRole("button", { name: "Create webhook" }).click();
  const sent = async () => {
    await page.getByRole("button", { name: "Send to a developer…" }).click();
    const message = await page.getByLabel("Message with a link").inputValue();
    assert.match(message, /^Here is the signing secret of the webhook “CRM” of Organisation 1842/);
    const [link = ""] = /http\S+#hand-over\/\S+/.exec(message) ?? [];
    await page.getByRole("button", { name: "Show: Signing secret" }).click();
    const secret = await page.getByLabel("Signing secret", { exact: true }).inputValue();
    const { context, page: opened } = await recipient(link);
    await enter(opened, await page.getByLabel("Code", { exact: true }).inputValue());
    await opened.getByText("This is the signing secret of the webhook “CRM”").waitFor();
    await opened.getByRole("button", { name: "Show: Signing secret" }).click();
    assert.equal(await opened.getByLabel("Signing secret", { exact: true }).inputValue(), secret);
    assert.deepEqual(await opened.locator(".facts > div").allInnerTexts(), ["Organisation\nOrganisation 1842"]);
    await context.close();
  };
  await sent();
  await area.inspect("hand-over-webhook");
  await page.getByLabel("I have stored it").check();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("link", { name: "CRM" }).click();
  await chooseMore(page, "Rotate secret");
  await page.getByRole("button", { name: "Make a new secret" }).click();
  await sent();
});
