import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "@jest/globals";
import { cases } from "../support/jest/cases.ts";
import { adminOne, baseUrl, writerOne } from "../support/service/testedService.ts";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";

// Not part of `npm test`, because it needs Python. SCHEMATHESIS is the command's path.
const { SCHEMATHESIS = "schemathesis" } = process.env;

// The tool writes into its directory.
const directory = temporaryDirectory();

// In this order, because the second run revokes keys.
for (const { paths, credential, seconds } of [
  { paths: "^/v1/", credential: writerOne.credential, seconds: cases(25, 60) },
  { paths: "^/admin/", credential: adminOne.credential, seconds: cases(10, 20) },
]) {
  test(`schemathesis finds no fault in the operations at ${paths}`, async () => {
    const config = join(import.meta.dirname, "schemathesis.toml");
    const options = ["--include-path-regex", paths, "--header", `Authorization: Bearer ${credential}`];
    const url = `${baseUrl}/openapi.json`;
    const child = spawn(
      SCHEMATHESIS,
      ["--config-file", config, "run", url, ...options, "--max-time", String(seconds), "--no-color"],
      {
        cwd: directory,
        env: { ...process.env, SCHEMATHESIS_HOOKS: join(import.meta.dirname, "hooks.py") },
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const exit = new Promise((settle) => child.once("exit", settle).once("error", settle));
    const report = await text(child.stdout);
    assert.equal(await exit, 0, report);
    console.info(report.match(/\d+ generated, .*/)?.[0]);
  });
}
