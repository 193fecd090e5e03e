import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { commands } from "../../../cli/ops.ts";
import { runProgram } from "../support/runProgram.ts";

test("every command's help survives a reader that leaves", async () => {
  for (const name of ["", ...Object.keys(commands)]) {
    const { code, signal, stderr } = await runProgram(name, ["--help"], { closesOutput: "at once" });
    assert.deepEqual([name, code, signal, stderr], [name, 0, null, ""]);
  }
});
