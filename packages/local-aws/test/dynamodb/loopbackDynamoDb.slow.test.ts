import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "@jest/globals";
import { libraryDirectory } from "../../dynamodb/startDynamoDbLocal.ts";

const sources = join(import.meta.dirname, "../../dynamodb");

// Needs a JDK, which brings the compiler.
test("the committed class of LoopbackDynamoDb is compiled from its source", () => {
  const output = mkdtempSync(join(tmpdir(), "loopback-dynamodb-"));
  try {
    const classPath = ["DynamoDBLocal.jar", "DynamoDBLocal_lib/*"].join(delimiter);
    const source = join(sources, "LoopbackDynamoDb.java");
    const cwd = libraryDirectory();
    execFileSync("javac", ["--release", "17", "-g:none", "-cp", classPath, "-d", output, source], { cwd });
    const compiled = readFileSync(join(output, "LoopbackDynamoDb.class"));
    assert.ok(compiled.equals(readFileSync(join(sources, "LoopbackDynamoDb.class"))));
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
});
