import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "@jest/globals";
import { referenceSite } from "../../../lib/website/sites.ts";
import { temporaryDirectory } from "../../support/temporaryDirectory.ts";
import { type ProgramOptions, runProgram } from "../support/runProgram.ts";

const cwd = temporaryDirectory();

const run = (commandLine: string[], options?: ProgramOptions) =>
  runProgram("openapi", commandLine, { cwd, ...options });

test("the written document is the served one; a missing directory is created", async () => {
  assert.equal((await run(["some/where.json"], { asProcess: true })).code, 0);
  const served = referenceSite().find(({ path }) => path === "/openapi.json");
  assert.deepEqual(JSON.parse(await readFile(join(cwd, "some/where.json"), "utf8")), JSON.parse(String(served?.body)));
});
