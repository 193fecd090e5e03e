import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "@jest/globals";
import { runProgram } from "../support/runProgram.ts";

test("every command's help survives a reader that leaves", async () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync("package.json", "utf8"));
  const programs = Object.values(scripts).flatMap((script) => /cli\/(\w+\/\w+)\.ts$/.exec(script)?.[1] ?? []);
  assert.ok(programs.length > 10);
  for (const program of programs) {
    const { code, signal, stderr } = await runProgram(program, ["--help"], { closesOutput: "at once" });
    assert.deepEqual([program, code, signal, stderr], [program, 0, null, ""]);
  }
});
