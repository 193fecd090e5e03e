import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "@jest/globals";
import { temporaryDirectory } from "../../../../test/support/temporaryDirectory.ts";
import { libraryDirectory } from "../../dynamodb/startDynamoDbLocal.ts";

const sources = join(import.meta.dirname, "../../dynamodb");

// Needs a JDK, which brings the compiler.
test("the committed classes of LoopbackDynamoDb are compiled from its source", () => {
  const output = temporaryDirectory();
  const classPath = ["DynamoDBLocal.jar", "DynamoDBLocal_lib/*"].join(delimiter);
  const source = join(sources, "LoopbackDynamoDb.java");
  const cwd = libraryDirectory();
  execFileSync("javac", ["--release", "17", "-g:none", "-cp", classPath, "-d", output, source], { cwd });
  for (const file of readdirSync(output))
    assert.ok(readFileSync(join(output, file)).equals(readFileSync(join(sources, file))), file);
});
