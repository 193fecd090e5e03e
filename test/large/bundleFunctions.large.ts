import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "@jest/globals";
import { bundleFunctions } from "../../lib/bundleFunctions.ts";
import { functionEntryPoints } from "../../lib/functionEntryPoints.ts";

test("the same sources give the same bytes, also in another directory", () => {
  const directories = bundleFunctions(functionEntryPoints);
  const elsewhere = mkdtempSync(join(tmpdir(), "checkout-"));
  for (const part of ["functions", "lib", "package.json"]) cpSync(part, join(elsewhere, part), { recursive: true });
  symlinkSync(resolve("node_modules"), join(elsewhere, "node_modules"));
  const program = `
    import { readFileSync } from "node:fs";
    import { bundleFunctions } from "./lib/bundleFunctions.ts";
    const directories = bundleFunctions(${JSON.stringify(functionEntryPoints)});
    const contents = Object.entries(directories).map(([name, at]) => [name, readFileSync(at + "/index.mjs", "utf8")]);
    console.log(JSON.stringify({ directories, contents: Object.fromEntries(contents) }));`;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: elsewhere,
    encoding: "utf8",
    maxBuffer: 100_000_000,
  });
  rmSync(elsewhere, { recursive: true });
  const other = JSON.parse(output);
  for (const name of Object.keys(functionEntryPoints)) {
    const source = readFileSync(join(directories[name] ?? "", "index.mjs"), "utf8");
    assert.ok(other.contents[name] === source, name);
  }
  assert.ok(!existsSync(other.directories.getKey), "the process removes its bundles when it ends");
});
