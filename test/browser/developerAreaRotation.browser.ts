import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { minutesAgo, stagedKey } from "./support/adminApi.ts";
import { DeveloperAreaTests } from "./support/developerAreaTests.ts";

const area = new DeveloperAreaTests();

test("a rotation leads from the new key to the revocation, shows the last use of both keys live, and can be left and resumed", async () => {
  const old = stagedKey({ name: "Website", last_used: minutesAgo(2), scopes: ["read", "write:orders"] });
  area.stage.api.keys.push(old);
  const page = await area.openSignedIn();
  await page.clock.install();
  await page.getByRole("button", { name: "Rotate Website" }).click();
  assert.equal(await page.getByLabel("Name").inputValue(), "Website (2)");
  await area.inspect("rotate-create");
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  await page.getByLabel("I have stored it").check();
  await page.getByRole("button", { name: "Done" }).click();
  const [successor = assert.fail()] = area.stage.api.keys;
  assert.deepEqual(successor.scopes, old.scopes);

  await page.getByText("Now give the new key to everything that uses the old one").waitFor();
  await area.inspect("rotate-switch");
  await page.getByRole("button", { name: "It uses the new key" }).click();
  await page.getByText("The old key was used 2 minutes ago: something still uses it.").waitFor();
  await area.inspect("rotate-watch");
  await page.getByRole("button", { name: "Close and watch later" }).click();
  await page.getByRole("tab", { name: "Activity" }).click();
  await page.getByRole("tab", { name: "Keys" }).click();
  await page.getByRole("button", { name: "Resume rotation of Website" }).click();

  old.last_used = minutesAgo(60);
  successor.last_used = minutesAgo(1);
  await page.clock.runFor(20_000);
  await page.getByText("The new key is in use, and the old key was last used 1 hour ago.").waitFor();
  await page.getByRole("button", { name: "Revoke the old key…" }).click();
  await page.getByLabel("Type Website to confirm").fill("Website");
  await area.inspect("rotate-revoke");
  await page.getByRole("button", { name: "Revoke “Website”" }).click();
  await page.getByText("The rotation is complete.").waitFor();
  await area.inspect("rotate-done");
  await page.getByRole("button", { name: "Finish" }).click();
  assert.equal(old.status, "revoked");
  assert.equal(successor.status, "active");
});
