import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { referenceFiles } from "../../../web/reference/referenceFiles.ts";

const program = resolve(import.meta.dirname, "../../../cli/openApi/writeOpenApi.ts");
let cwd: string;
before(async () => {
  cwd = await mkdtemp(join(tmpdir(), "openapi-"));
});
after(() => rm(cwd, { recursive: true }));

const run = (...options: string[]) => spawnSync(process.execPath, [program, ...options], { cwd, encoding: "utf8" });

test("the document that is written is the one that is served, in a directory that need not be there", async () => {
  assert.equal(run("some/where.json").status, 0);
  const served = referenceFiles().find(({ path }) => path === "/openapi.json");
  assert.deepEqual(JSON.parse(await readFile(join(cwd, "some/where.json"), "utf8")), JSON.parse(String(served?.body)));
});

test("without just one file, usage is told and nothing written", async () => {
  const before = await readdir(cwd);
  for (const options of [[], ["a", "b"], ["--help"]]) {
    const { status, stderr } = run(...options);
    assert.deepEqual([status, stderr], [2, "npm run openapi -- FILE writes the OpenAPI document to FILE.\n"]);
  }
  assert.deepEqual(await readdir(cwd), before);
});
