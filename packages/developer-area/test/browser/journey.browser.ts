import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, test } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { hashApiKey } from "../../../../functions/keys/apiKeySecret.ts";
import { useLocalTable } from "../../../../local/localService.ts";
import { dumpTable } from "../../../../test/support/data/table.ts";
import { findSensitive } from "../../../../test/support/http/assertProblem.ts";
import { send } from "../../../../test/support/http/send.ts";
import { type ChildService, startChildService } from "../../../../test/support/service/childService.ts";
import { launchChromium } from "./support/chromium.ts";
import { assertPicture } from "./support/inspections.ts";
import { chooseMore, secretOn } from "./support/openDeveloperArea.ts";

/*
 * The whole journey without fakes: the service as `npm start` runs it, its sign-in page, the Developer area in a browser, and requests
 * with the keys that are created there.
 */

let service: ChildService;
let browser: Browser;
/** Every secret that a page has shown. */
const secrets: string[] = [];

beforeAll(async () => {
  [service, browser] = await Promise.all([startChildService(), launchChromium()]);
});
afterAll(() => browser?.close());

const statusWith = async (key: string, path = "/v1/key") =>
  (await send(service.description.base_url + path, { headers: { Authorization: `Bearer ${key}` } })).status;

/** Signs a person in, in a separate browser context. */
async function signIn(organisationId: number, role: string) {
  const { people, developer_area_url } = service.description;
  const person = people.find((one) => one.organisation_id === organisationId && one.role === role) ?? assert.fail();
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
  // A busy machine takes long to draw the page.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    const isExpected = message.text().startsWith("Failed to load resource");
    if (["error", "warning"].includes(message.type()) && !isExpected) complaints.push(message.text());
  });
  page.on("pageerror", ({ message }) => complaints.push(message));
  await page.goto(developer_area_url);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByLabel(/e-?mail/i).fill(person.email);
  await page.getByLabel(/password/i).fill(person.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText(person.email).first().waitFor();
  // The address contains neither code nor state.
  assert.equal(page.url(), developer_area_url);
  return { page, complaints };
}

/** Creates a key and returns its secret. The dialog stays open. */
async function createKey(page: Page, name: string, scopes: string[] = []): Promise<string> {
  await page.getByRole("button", { name: /^Create (the first )?key$/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  for (const scope of scopes) await dialog.getByText(scope).click();
  if (scopes.length > 0) await assertPicture(page, "create-key");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const secret = await secretOn(page);
  secrets.push(secret);
  return secret;
}

async function closeSecret(page: Page): Promise<void> {
  await page.getByLabel("I have stored it").check();
  await page.getByRole("button", { name: "Done" }).click();
}

test("a super-admin creates a key, sees that it is used, and revokes it", async () => {
  const { page, complaints } = await signIn(1, "super-admin");
  const key = await createKey(page, "Nightly sync", ["write:orders"]);
  await assertPicture(page, "secret-once", [
    page.getByLabel("Secret key", { exact: true }),
    page.getByLabel("A first request", { exact: true }),
  ]);
  await closeSecret(page);
  const row = page.getByRole("row", { name: /Nightly sync/ });
  await row.getByText("never").waitFor();

  assert.equal(await statusWith(key), 200);
  assert.equal(await statusWith(key, "/v1/events"), 200);
  // A reload loses the token. The provider still has its session, so it does not ask for the password again.
  await page.reload();
  await row
    .getByRole("cell", { name: /just now|minutes? ago/ })
    .nth(1)
    .waitFor();
  await assertPicture(page, "keys");

  await row.getByRole("button", { name: "Revoke Nightly sync" }).click();
  await page.getByLabel("Type Nightly sync to confirm").fill("Nightly sync");
  await assertPicture(page, "revoke-key");
  await page.getByRole("button", { name: "Revoke “Nightly sync”" }).click();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await page.getByText(/^All \d+$/).click();
  await row.getByText("Revoked", { exact: true }).waitFor();
  assert.equal(await statusWith(key), 401);

  await page.getByRole("tab", { name: "Activity" }).click();
  await page.getByRole("listitem").filter({ hasText: "revoked Nightly sync" }).waitFor();
  await assertPicture(page, "activity");
  await page.getByRole("tab", { name: "Quick start" }).click();
  assert.deepEqual(complaints, []);
});

test("a super-admin rotates a key without interruption", async () => {
  const { page, complaints } = await signIn(2, "super-admin");
  const old = await createKey(page, "Door list");
  await closeSecret(page);
  assert.equal(await statusWith(old), 200);
  await page.getByRole("button", { name: "Rotate Door list" }).click();
  await page.getByLabel("Name").fill("Door list 2027");
  await page.getByRole("button", { name: "Dismiss" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  const key = await secretOn(page);
  secrets.push(key);
  await closeSecret(page);
  assert.deepEqual([await statusWith(old), await statusWith(key)], [200, 200]);
  await page.reload();
  await page.getByRole("button", { name: "Revoke Door list", exact: true }).click();
  await page.getByLabel("Type Door list to confirm").fill("Door list");
  await page.getByRole("button", { name: "Revoke “Door list”" }).click();
  await page.getByText("Key “Door list” is revoked.").waitFor();
  assert.deepEqual([await statusWith(old), await statusWith(key)], [401, 200]);
  assert.deepEqual(complaints, []);
});

test("a super-admin sees why a key's requests fail", async () => {
  const { page, complaints } = await signIn(2, "super-admin");
  const key = await createKey(page, "Trial");
  await closeSecret(page);
  assert.equal(await statusWith(key, "/v1/orders/900719925"), 404);
  assert.equal(await statusWith(key, "/v1/events?per_page=0"), 400);
  await page.getByRole("tab", { name: "Failures" }).click();
  // Usage follows the log within a second, and the page refreshes itself.
  await page.getByText("GET /v1/orders/900719925").waitFor();
  await page.getByText(/^per_page: Must be an integer from 1 to /).waitFor();
  assert.deepEqual(complaints, []);
});

test("a super-admin creates a webhook, tests it and deletes it", async () => {
  const signatures: unknown[] = [];
  const receiver = createServer(({ headers }, response) => {
    signatures.push(headers["webhook-signature"]);
    response.writeHead(202).end("Taken");
  });
  await new Promise<void>((settle) => receiver.listen(0, settle));
  const { port } = receiver.address() as AddressInfo;
  const { page, complaints } = await signIn(2, "super-admin");
  await page.getByRole("tab", { name: "Webhooks" }).click();
  await page.getByRole("button", { name: "Create the first webhook" }).click();
  const create = page.getByRole("dialog").getByRole("button", { name: "Create webhook" });
  await page.getByLabel("Address").fill("https://10.0.0.1/hook");
  await create.click();
  await page.getByText("The host has no public address.").waitFor();
  await page.getByLabel("Address").fill(`http://localhost:${port}/hook`);
  await page.getByLabel("All changes").uncheck();
  for (const name of ["Events", "Dates", "Balance payments"]) await page.getByLabel(name, { exact: true }).check();
  await create.click();
  await closeSecret(page);
  await page.getByRole("link", { name: `localhost:${port}` }).click();
  await page.getByRole("button", { name: "Test" }).click();
  await page.getByRole("button", { name: "Send a test message" }).click();
  await page.getByText("The receiver accepted it").waitFor();
  await page.getByText("Taken").waitFor();
  assert.match(String(signatures[0]), /^v1,/);
  await page.keyboard.press("Escape");
  await chooseMore(page, "Delete");
  await page.getByRole("button", { name: /^Delete “/ }).click();
  await page.getByRole("button", { name: "Create the first webhook" }).waitFor();
  await new Promise((settle) => receiver.close(settle));
  assert.deepEqual(complaints, []);
});

test("a member of staff sees no keys and the reason for that", async () => {
  const { page, complaints } = await signIn(1, "staff");
  await page
    .getByText(/only .*super-admins?/i)
    .first()
    .waitFor();
  assert.equal(await page.getByText("tsk_").count(), 0);
  assert.deepEqual(complaints, []);
});

test("a super-admin sees no keys of another organisation", async () => {
  const { page: one } = await signIn(1, "super-admin");
  const key = await createKey(one, "Of organisation one");
  await closeSecret(one);
  const { page: two, complaints } = await signIn(2, "super-admin");
  await two
    .getByRole("row", { name: /Door list 2027/ })
    .first()
    .waitFor();
  assert.equal(await two.getByText("Of organisation one").count(), 0);
  assert.equal(await two.getByText(key.slice(0, 12)).count(), 0);
  assert.equal(await statusWith(key), 200);
  assert.deepEqual(complaints, []);
});

test("neither the table nor the log contains a key that a page showed", async () => {
  const { dynamodb_endpoint, table_name } = service.description;
  useLocalTable(dynamodb_endpoint, table_name);
  const table = JSON.stringify(await dumpTable());
  const log = await service.log();
  assert.equal(secrets.length, 5);
  for (const secret of secrets) {
    assert.ok(table.includes(hashApiKey(secret)), "the key exists");
    assert.ok(!table.includes(secret.slice(12)) && !log.includes(secret.slice(12)));
  }
  assert.doesNotMatch(table, /tsk_[0-9A-Za-z]{9}/);
  assert.deepEqual(findSensitive(log, secrets), []);
});
