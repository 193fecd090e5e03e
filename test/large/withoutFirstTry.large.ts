import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { test } from "@jest/globals";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";

test("the promises over HTTP hold without first tries, by the document client alone", async () => {
  const mark = join(temporaryDirectory(), "processes");
  const hook = join(import.meta.dirname, "../support/service/withoutFirstTry.ts");
  const options = ["--experimental-vm-modules", "node_modules/jest/bin/jest.js", "--selectProjects", "promises"];
  const { TEST_DYNAMODB_ENDPOINT: _, ...environment } = process.env;
  const env = { ...environment, NODE_OPTIONS: `--import=${hook}`, WITHOUT_FIRST_TRY: mark };
  const { stderr } = await promisify(execFile)(process.execPath, options, { env });
  assert.match(stderr, /Tests: +\d{3,} passed, \d+ total/);
  assert.match(readFileSync(mark, "utf8"), /local\/start\.ts$/m);
});
