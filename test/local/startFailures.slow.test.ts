import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "@jest/globals";
import { listen } from "../support/http/listen.ts";
import { cases } from "../support/jest/cases.ts";
import { until } from "../support/service/until.ts";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";
import { runStart, untilGone } from "./runStart.ts";

/** An environment in which this shell script is Java. */
function withJava(script: string) {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, "java"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: `${directory}:${process.env.PATH}` };
}
const withoutJava = { PATH: temporaryDirectory() };

async function assertFails(run: ReturnType<typeof runStart>, message: RegExp): Promise<void> {
  assert.equal(await run.exited(), 1);
  assert.match(run.errors(), message);
  assert.doesNotMatch(run.errors(), /\n\s+at /, "a stack");
  assert.equal(run.output(), "");
}

test("invalid options and --help print the usage", async () => {
  await assertFails(runStart(["--port", "x"]), /^--port must be a number from 0 to 65535\.\n\nnpm start -- /);
  const help = runStart(["--help"]);
  assert.equal(await help.exited(), 0);
  assert.match(help.output(), /^npm start -- /);
});

test("a taken port is reported before a database is started", async () => {
  await using other = createServer().listen(0, "::1");
  await once(other, "listening");
  const { port } = other.address() as { port: number };
  // Without Java, a start of the database would fail with another message.
  const message = new RegExp(`^Port ${port} is taken\\. .*--port N.*\\n$`);
  await assertFails(runStart(["--port", String(port)], { env: withoutJava }), message);
});

test("without Java, a start reports what to install and how to run without it", async () => {
  await assertFails(
    runStart(["--port", "0"], { env: withoutJava }),
    /"java" is not on the PATH(.|\n)*Java 17(.|\n)*--dynamodb-endpoint/,
  );
});

test("a Java that cannot run DynamoDB Local gives the same advice, without Java's own output", async () => {
  const env = withJava("echo noise; echo noise >&2; exit 3");
  const run = runStart(["--port", "0"], { env });
  await assertFails(run, /^DynamoDB Local did not start: exit code 3\.\n.*Java 17(.|\n)*--dynamodb-endpoint/);
  assert.doesNotMatch(run.errors(), /noise/);
});

test("an endpoint without a usable DynamoDB is reported in one line", async () => {
  await assertFails(
    runStart(["--port", "0", "--dynamodb-endpoint", "http://localhost:1"]),
    /^No usable DynamoDB at http:\/\/localhost:1 \(ECONNREFUSED.*\)\.\n$/,
  );
  const website = await listen(createHttpServer((_, response) => response.end("<html>Hello</html>")));
  await assertFails(
    runStart(["--port", "0", "--dynamodb-endpoint", website]),
    /^No usable DynamoDB at http:\/\/127\.0\.0\.1:\d+ \(.+\)\.\n$/,
  );
});

test("a DynamoDB that does not respond in time is reported in one line", async () => {
  let table = {};
  const endpoint = await listen(
    createHttpServer(async (incoming, response) => {
      const [, action] = String(incoming.headers["x-amz-target"]).split(".");
      const input = JSON.parse(await text(incoming));
      if (action === "CreateTable") table = { ...input, TableStatus: "ACTIVE" };
      if (action === "CreateTable" || action === "DescribeTable") response.end(JSON.stringify({ Table: table }));
      else if (action?.endsWith("TimeToLive")) response.end("{}");
    }),
  );
  const env = { DYNAMODB_TIMEOUT_MS: "100" };
  await assertFails(
    runStart(["--port", "0", "--dynamodb-endpoint", endpoint], { env }),
    /^DynamoDB at http:.* did not store the demo data in time \(.+\)\. If this machine is busy, start again later\.\n$/,
  );
});

for (const signal of cases<NodeJS.Signals[]>(["SIGHUP"], ["SIGINT", "SIGTERM", "SIGHUP"])) {
  test(`${signal} during the start ends the service and the database that does not respond yet`, async () => {
    const run = runStart(["--port", "0"], { env: withJava("trap '' INT TERM HUP; while :; do sleep 0.1; done") });
    await until(async () => (await run.children()).length === 1);
    const children = await run.children();
    run.signal(signal);
    assert.equal(await run.exited(), 0);
    await untilGone(children);
    assert.deepEqual([run.output(), run.errors()], ["", ""]);
  });
}
