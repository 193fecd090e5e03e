import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { BrowserContext, Page } from "playwright-core";
import { stagedKey } from "./support/adminApi.ts";
import { DeveloperAreaTests } from "./support/developerAreaTests.ts";
import { secretOn, traces } from "./support/openDeveloperArea.ts";

const area = new DeveloperAreaTests();

/** Creates a key and makes a link for it. */
async function madeLink() {
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Create the first key" }).click();
  await page.getByLabel("Name").fill("CRM – Zürich");
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
  await page.getByRole("heading", { name: "An API key for you" }).waitFor();
  return { context, page, recorded };
}

async function enter(page: Page, code: string): Promise<void> {
  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Open" }).click();
}

test("a link and a code give the key to somebody without an account, with the address and a first request", async () => {
  const { link, code, secret, message } = await madeLink();
  assert.match(code, /^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
  await area.inspect("hand-over-made");
  const { context, page } = await recipient(link);
  await enter(page, code);
  await page.getByText("This is the key “CRM – Zürich”").waitFor();
  assert.equal(await secretOn(page), secret);
  assert.equal(await page.getByLabel("Base URL").inputValue(), `${area.stage.origin}/v1`);
  await page.getByRole("button", { name: "Show: A first request" }).click();
  assert.equal(
    await page.getByLabel("A first request", { exact: true }).inputValue(),
    `curl -H "Authorization: Bearer ${secret}" ${area.stage.origin}/v1/key`,
  );
  assert.ok(!message.includes(secret) && !message.includes(code) && !message.includes(code.replace("-", "")));
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
    for (const part of [secret, secret.slice(12), code, code.replace("-", "")]) {
      assert.ok(!text.includes(part), place);
    }
    assert.ok(!text.includes("hand-over/"), `${place} has no link`);
  }
  await page.reload();
  assert.equal(await page.getByText(secret.slice(0, 12)).count(), 0);
  await context.close();
});

test("a link opens twice, with a code as people type it, and not with a wrong or missing one", async () => {
  const { link, code } = await madeLink();
  const { context, page } = await recipient(link);
  for (const wrong of ["", "4FQ9W", `${code}0`, "4FQ9W-2BY!8"]) {
    await enter(page, wrong);
    await page.getByText("A code has ten letters and digits, such as 4FQ9W-2BYC8.").waitFor();
  }
  const mistyped = (code.startsWith("0") ? "1" : "0") + code.slice(1);
  await enter(page, mistyped);
  await page.getByText("This code does not open the link.").waitFor();
  await enter(page, ` ${code.toLowerCase().replaceAll("0", "o").replaceAll("1", "l").replace("-", " – ")} `);
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
  const broken = [link.slice(0, start), link.slice(0, start + 30), link.slice(0, -1), `${link}x`];
  const middle = Math.floor((start + link.length) / 2);
  broken.push(link.slice(0, middle) + (link[middle] === "A" ? "B" : "A") + link.slice(middle + 1));
  for (const url of broken) {
    const { context, page } = await recipient(url);
    await page.getByText("This link is incomplete").waitFor();
    assert.equal(await page.getByLabel("Code").count(), 0);
    await context.close();
  }
});

test("a link that is opened in a tab of the Developer area leads to the key, not to the list", async () => {
  const { page, link, code } = await madeLink();
  await page.getByLabel("I have stored it").check();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("rowheader").first().waitFor();
  await page.goto(link);
  await enter(page, code);
  await page.getByText("This is the key").waitFor();
  await area.inspect("hand-over-opened");
});

test("a link is opened with the keyboard alone, and without JavaScript the page says what it needs", async () => {
  const { link, code } = await madeLink();
  const { context, page } = await recipient(link);
  await page.locator("input:focus").waitFor();
  await page.keyboard.type("1");
  await page.keyboard.press("Enter");
  await page.getByText("A code has ten letters and digits").waitFor();
  await page.keyboard.press("Backspace");
  await page.keyboard.type(code);
  await page.keyboard.press("Enter");
  await page.locator("textarea:focus").waitFor();
  await context.close();
  const plain = (await area.opened.context.browser()?.newContext({ javaScriptEnabled: false })) ?? assert.fail();
  const without = await plain.newPage();
  await without.goto(link);
  assert.match(await without.locator("body").innerText(), /This page needs JavaScript, also to decrypt an API key/);
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
  await enter(page, "00000-00000");
  await page.getByText("This code does not open the link.").waitFor();
  await area.inspect("hand-over-wrong-code");
});
