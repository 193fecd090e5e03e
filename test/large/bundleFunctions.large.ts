import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "@jest/globals";
import { bundleFunctions, functionEntryPoints, s3User } from "../../lib/bundleFunctions.ts";
import { cases } from "../support/jest/cases.ts";

/** A compile cache takes half a second, so only two functions get theirs. */
const { apiKeyAuthorizer = "", getEvent = "", [s3User]: bulkImport = "" } = functionEntryPoints;
const cached = { apiKeyAuthorizer, getEvent };
/** `.ci/run templates` compares all bundles of one directory. */
const compared = cases({ ...cached, [s3User]: bulkImport }, functionEntryPoints);

test("the same sources give the same bytes, also in another directory and beside other functions", () => {
  const own = [bundleFunctions(compared), bundleFunctions(cached, { architecture: process.arch })];
  const elsewhere = mkdtempSync(join(tmpdir(), "checkout-"));
  for (const part of ["functions", "lib", "package.json", "tsconfig.json"])
    cpSync(part, join(elsewhere, part), { recursive: true });
  symlinkSync(resolve("node_modules"), join(elsewhere, "node_modules"));
  const program = `
    import { cpSync } from "node:fs";
    import { bundleFunctions } from "./lib/bundleFunctions.ts";
    const given = ${JSON.stringify([compared, cached])};
    const bundles = [bundleFunctions(given[0]), bundleFunctions(given[1], { architecture: process.arch })];
    for (const [index, directories] of bundles.entries()) {
      for (const [name, at] of Object.entries(directories)) cpSync(at, "copies/" + index + "/" + name, { recursive: true });
    }
    console.log(bundles[0].getEvent);`;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: elsewhere,
    encoding: "utf8",
  });
  for (const [index, directories] of own.entries()) {
    for (const [name, directory] of Object.entries(directories)) {
      const copy = join(elsewhere, "copies", String(index), name);
      assert.deepEqual(readdirSync(copy), readdirSync(directory));
      for (const file of readdirSync(directory)) {
        assert.ok(readFileSync(join(copy, file)).equals(readFileSync(join(directory, file))), `${name}/${file}`);
      }
    }
  }
  rmSync(elsewhere, { recursive: true });
  assert.ok(!existsSync(output.trim()), "the process removes its bundles when it ends");
});
