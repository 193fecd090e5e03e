import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { developerAreaFiles } from "../developerAreaFiles.ts";
import { developerAreaContentSecurityPolicy } from "../page.ts";

const files = await developerAreaFiles();
const page = files.find(({ path }) => path === "/developer")?.body.toString() ?? assert.fail("No page.");

test("two builds are identical for any NODE_ENV, and do not change it", async () => {
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = "development";
  const again = await developerAreaFiles();
  assert.equal(process.env.NODE_ENV, "development");
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
  assert.deepEqual(again, files);
});

test("no file contains the path of its build", () => {
  for (const { path, body } of files) assert.ok(!body.toString().includes(process.cwd()), path);
});

test("every address in the page is one of the files or the reference page", () => {
  const references = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, reference]) => reference);
  assert.ok(references.length >= 4);
  const known = new Set(["/docs", ...files.map(({ path }) => path)]);
  assert.deepEqual(
    references.filter((reference) => !known.has(reference ?? "")),
    [],
  );
});

test("every address in the styles is a font among the files", () => {
  const styles = files.find(({ path }) => path.endsWith(".css"))?.body.toString() ?? assert.fail("No styles.");
  const fonts = files.filter(({ path }) => path.endsWith(".woff2")).map(({ path }) => path);
  const addresses = [...styles.matchAll(/url\(["']?([^"')]*)/g)].map(([, address]) => address);
  assert.equal(fonts.length, 3);
  assert.deepEqual(addresses.sort(), fonts.sort());
});

test("browsers may cache a file permanently only if its name has a hash of its content", () => {
  for (const { path, isHashed } of files) {
    const hasHash = /^\/developer\/assets\/.+-[\w-]{8}\.\w+$/.test(path);
    assert.equal(hasHash, path !== "/developer");
    assert.equal(isHashed, hasHash, path);
  }
});

test("the policy allows no inline code, and connections only to the own origin and the provider", () => {
  const policy = developerAreaContentSecurityPolicy(["https://id.example", "https://token.example"]);
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
  assert.match(policy, /; font-src 'self'; connect-src 'self' https:\/\/id\.example https:\/\/token\.example;/);
  assert.doesNotMatch(policy, /unsafe|\*|frame-src/);
});
