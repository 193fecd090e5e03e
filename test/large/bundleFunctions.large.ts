import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "@jest/globals";
import { bundleFunctions, functionEntryPoints, s3User } from "../../lib/bundleFunctions.ts";
import { cases } from "../support/jest/cases.ts";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";

const { getEvent = "", [s3User]: bulkImport = "" } = functionEntryPoints;
/** `.ci/run templates` compares all bundles of one directory. */
const compared = cases({ getEvent, [s3User]: bulkImport }, functionEntryPoints);

test("the same sources give the same bytes, also in another directory and beside other functions", () => {
  const own = bundleFunctions(compared);
  const elsewhere = temporaryDirectory();
  for (const part of ["functions", "lib", "package.json", "tsconfig.json"])
    cpSync(part, join(elsewhere, part), { recursive: true });
  symlinkSync(resolve("node_modules"), join(elsewhere, "node_modules"));
  const program = `
    import { cpSync } from "node:fs";
    import { bundleFunctions } from "./lib/bundleFunctions.ts";
    const directories = bundleFunctions(${JSON.stringify(compared)});
    for (const [name, at] of Object.entries(directories)) cpSync(at, "copies/" + name, { recursive: true });
    console.log(directories.getEvent);`;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: elsewhere,
    encoding: "utf8",
  });
  for (const [name, directory] of Object.entries(own)) {
    const copy = join(elsewhere, "copies", name);
    assert.deepEqual(readdirSync(copy), readdirSync(directory));
    for (const file of readdirSync(directory)) {
      assert.ok(readFileSync(join(copy, file)).equals(readFileSync(join(directory, file))), `${name}/${file}`);
    }
  }
  assert.ok(!existsSync(output.trim()), "the process removes its bundles when it ends");
});
