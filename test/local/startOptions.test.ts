import assert from "node:assert/strict";
import { once } from "node:events";
import { chmodSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "@jest/globals";
import { UsageError } from "@ticketing/local-aws/usage-error";
import { assertPortFree } from "../../local/service.ts";
import { startOptions } from "../../local/startOptions.ts";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";

test("by default, the service uses port 3000 and keeps its data in memory", () => {
  assert.deepEqual(startOptions([]), { port: 3000, directory: undefined, dynamoDbEndpoint: undefined });
});

test("the directory for the data is created for its owner only", () => {
  const directory = join(temporaryDirectory(), "new/data");
  assert.deepEqual(startOptions(["--data", directory]), { port: 3000, directory, dynamoDbEndpoint: undefined });
  assert.ok(statSync(directory).isDirectory());
  assert.equal(statSync(directory).mode & 0o077, 0);
});

test("a database that others could read is closed to them, and nothing else in its directory is changed", () => {
  const directory = temporaryDirectory();
  const modes = new Map([
    ["shared-local-instance.db", 0o600],
    ["shared-local-instance.db-journal", 0o600],
    ["notes.txt", 0o644],
    [".", 0o755],
  ]);
  for (const name of modes.keys()) {
    if (name !== ".") writeFileSync(join(directory, name), "");
    chmodSync(join(directory, name), name === "." ? 0o755 : 0o644);
  }
  startOptions(["--data", directory]);
  for (const [name, mode] of modes) assert.equal(statSync(join(directory, name)).mode & 0o777, mode, name);
});

test("every valid port number and an endpoint's URL are accepted", () => {
  for (const port of [0, 80, 65_535]) {
    assert.deepEqual(startOptions(["--port", String(port), "--dynamodb-endpoint", "https://db.example"]), {
      port,
      directory: undefined,
      dynamoDbEndpoint: "https://db.example",
    });
  }
});

test("invalid options are refused with the usage", () => {
  const cases: [RegExp, string[]][] = [
    ...["65536", "-1", "80a", "", "1e3", "99999999"].map((port): [RegExp, string[]] => [
      /^--port must be a number from 0 to 65535\.\n/,
      [`--port=${port}`],
    ]),
    [/^Unknown option '--prot'/, ["--prot", "1"]],
    [/^Unexpected argument '3000'/, ["3000"]],
    [/^--dynamodb-endpoint must be a URL/, ["--dynamodb-endpoint", "localhost:8000"]],
    [/^--data cannot be combined/, ["--dynamodb-endpoint", "http://localhost:1", "--data", "x"]],
    ...["/dev/null", "/dev/null/x", ""].map((directory): [RegExp, string[]] => [
      /^--data needs a writable directory \(/,
      ["--data", directory],
    ]),
  ];
  for (const [message, commandLine] of cases) {
    assert.throws(
      () => startOptions(commandLine),
      (error) => error instanceof UsageError && message.test(error.message) && /npm start -- /.test(error.message),
      commandLine.join(" "),
    );
  }
});

for (const address of ["127.0.0.1", "::1", "0.0.0.0", "::"]) {
  test(`a port is taken while a program listens on ${address}, and free afterwards`, async () => {
    const other = createServer().listen(0, address);
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    await assert.rejects(assertPortFree(port), {
      name: "UsageError",
      message: new RegExp(`^Port ${port} is taken\\.`),
    });
    other.close();
    await once(other, "close");
    await assertPortFree(port);
  });
}
