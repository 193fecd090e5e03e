import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { minutesAgo, problem, stagedKey } from "./support/adminApi.ts";
import { DeveloperAreaTests } from "./support/developerAreaTests.ts";
import { secretOn } from "./support/openDeveloperArea.ts";

const area = new DeveloperAreaTests();

test("a rotation leads from the new key to the revocation, shows the last use of both keys live, and can be left and resumed", async () => {
  const old = stagedKey({ name: "Website", last_used: minutesAgo(2), scopes: ["read", "write:orders"] });
  area.stage.api.keys.push(old);
  const page = await area.openSignedInWithClock();
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
  await page.getByText(/^The old key was used \d minutes ago, so a program probably still has it\.$/).waitFor();
  await area.inspect("rotate-watch");
  await page.getByRole("button", { name: "Close and watch later" }).click();
  await page.getByRole("button", { name: "Continue rotation of Website" }).click();
  await page.getByRole("button", { name: "It uses the new key" }).click();

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

/** A key with a successor. */
function rotated(lastUse: string | null) {
  const old = stagedKey({ name: "Website", last_used: minutesAgo(60) });
  const successor = stagedKey({ name: "Website (2)", last_used: lastUse, replaces: old.id });
  old.replaced_by = successor.id;
  area.stage.api.keys.push(successor, old);
  return { old, successor };
}

test("a rotation survives a reload and continues where it was, without a third key", async () => {
  const { successor } = rotated(null);
  const page = await area.openSignedIn();
  const resume = page.getByRole("button", { name: "Continue rotation of Website", exact: true });
  assert.equal(await resume.textContent(), "Continue rotation");
  await resume.click();
  await page.getByText("Now give the new key to everything that uses the old one").waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  successor.last_used = minutesAgo(1);
  await page.reload();
  await resume.click();
  await page.getByText("The new key is in use, and the old key was last used 1 hour ago.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Rotate Website", exact: true }).count(), 0);
  assert.equal(area.stage.api.keys.length, 2);
});

test("a rotation that begins in another tab is continued, not begun again", async () => {
  const old = stagedKey({ name: "Website" });
  area.stage.api.keys.push(old);
  const page = await area.openSignedInWithClock();
  await page.getByRole("button", { name: "Rotate Website" }).click();
  const successor = stagedKey({ name: "From another tab", replaces: old.id });
  area.stage.api.keys.unshift(successor);
  old.replaced_by = successor.id;
  await page.clock.runFor(20_000);
  await page.getByText("Now give the new key to everything that uses the old one").waitFor();
});

test("a rotation of a key that was revoked in another tab says that nothing was created", async () => {
  const old = stagedKey({ name: "Website" });
  area.stage.api.keys.push(old);
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Rotate Website" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Shop");
  area.stage.beforeWrite(() =>
    Object.assign(old, { status: "revoked", revoked: minutesAgo(1), revoked_by: "grace@example.org" }),
  );
  await dialog.getByRole("button", { name: "Create key" }).click();
  await dialog.getByText("“Website” is revoked by grace@example.org, and a revoked key cannot be rotated.").waitFor();
  assert.equal(await dialog.locator(".steps").count(), 0);
  await area.inspect("rotate-too-late");
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await dialog.waitFor({ state: "detached" });
});

test("a double click in a rotation takes one step", async () => {
  rotated(null);
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Continue rotation of Website", exact: true }).click();
  await page.getByRole("button", { name: "It uses the new key" }).click();
  // The second click, if the next step's button appears under the pointer.
  const next = page.getByRole("button", { name: "Revoke the old key…" });
  await next.dispatchEvent("click", { detail: 2 });
  assert.equal(await page.getByText("What stops working").count(), 0);
  await next.dispatchEvent("click", { detail: 1 });
  await page.getByText("What stops working").waitFor();
});

test("the new key's secret goes where the old key's integration reads it", async () => {
  area.stage.api.keys.push(stagedKey({ name: "Website" }));
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Rotate Website" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  await page.getByText("Put it where “Website” reads its secrets").waitFor();
});

test("a key whose successor was revoked can be rotated again", async () => {
  const { successor } = rotated(null);
  Object.assign(successor, { status: "revoked", revoked: minutesAgo(1), revoked_by: "ada@example.org" });
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Rotate Website", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).waitFor();
});

test("a secret stays on the screen when somebody else revokes the old key, and the rotation then says so", async () => {
  const old = stagedKey({ name: "Website" });
  area.stage.api.keys.push(old);
  const page = await area.openSignedInWithClock();
  await page.getByRole("button", { name: "Rotate Website" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  const secret = await secretOn(page);
  Object.assign(old, { status: "revoked", revoked: minutesAgo(1), revoked_by: "grace@example.org" });
  await page.clock.runFor(20_000);
  assert.equal(await secretOn(page), secret);
  await page.getByLabel("I have stored it").check();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByText("“Website” is revoked by grace@example.org, and “Website (2)” has taken its place.").waitFor();
});

test("a restart of the service in any step of a rotation loses nothing", async () => {
  const old = stagedKey({ name: "Website", last_used: minutesAgo(60) });
  area.stage.api.keys.push(old);
  const page = await area.openSignedInWithClock();
  const dialog = page.getByRole("dialog");
  const restart = async (seen: () => Promise<void>) => {
    area.stage.intercept = () => problem(503, "Starting.");
    await page.clock.runFor(40_000);
    await seen();
    area.stage.intercept = undefined;
  };
  await page.getByRole("button", { name: "Rotate Website" }).click();
  await dialog.getByLabel("Name").fill("Renamed");
  await restart(async () => {
    await dialog.getByRole("button", { name: "Create key" }).click();
    await dialog.getByText("Starting.").waitFor();
  });
  await dialog.getByRole("button", { name: "Try again" }).click();
  const secret = await secretOn(dialog);
  await restart(async () => assert.equal(await secretOn(dialog), secret));
  await dialog.getByLabel("I have stored it").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await restart(() => dialog.getByText("Now give the new key").waitFor());
  await dialog.getByRole("button", { name: "It uses the new key" }).click();
  await restart(() => dialog.getByText("The new key has not been used yet.").waitFor());
  await dialog.getByRole("button", { name: "Revoke the old key…" }).click();
  await dialog.getByLabel("Type Website").fill("Website");
  await restart(async () => {
    await dialog.getByRole("button", { name: "Revoke “Website”" }).click();
    await dialog.getByText("Starting.").waitFor();
  });
  assert.equal(await dialog.getByLabel("Type Website").inputValue(), "Website");
  await dialog.getByRole("button", { name: "Try again" }).click();
  await page.getByText("The rotation is complete.").waitFor();
  assert.deepEqual(
    area.stage.api.keys.map(({ name, status }) => [name, status]),
    [
      ["Renamed", "active"],
      ["Website", "revoked"],
    ],
  );
});
