import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { newDirectory, runStart, until, untilGone } from "./runStart.ts";

/** The environment of a machine on which this shell script is its Java. */
function withJava(script: string) {
  const directory = newDirectory();
  writeFileSync(join(directory, "java"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: `${directory}:${process.env.PATH}` };
}
const withoutJava = { PATH: newDirectory() };

async function assertFails(run: ReturnType<typeof runStart>, message: RegExp): Promise<void> {
  assert.equal(await run.exited(), 1);
  assert.match(run.errors(), message);
  assert.doesNotMatch(run.errors(), /\n\s+at /, "a stack");
  assert.equal(run.output(), "");
}

test("options that make no sense and --help are answered with the usage", async () => {
  await assertFails(runStart(["--port", "x"]), /^--port must be a number from 0 to 65535\.\n\nnpm start -- /);
  const help = runStart(["--help"]);
  assert.equal(await help.exited(), 0);
  assert.match(help.output(), /^npm start -- /);
});

test("a port that is taken is told before a database is started", async (context) => {
  const other = createServer().listen(0, "::1");
  context.after(() => other.close());
  await once(other, "listening");
  const { port } = other.address() as { port: number };
  // Without Java, so a start that tried would say so instead.
  const message = new RegExp(`^Port ${port} is taken\\. .*--port N.*\\n$`);
  await assertFails(runStart(["--port", String(port)], { env: withoutJava }), message);
});

test("without Java a start tells what to install and how to do without", async () => {
  await assertFails(
    runStart(["--port", "0"], { env: withoutJava }),
    /"java" is not on the PATH(.|\n)*Java 17(.|\n)*--dynamodb-endpoint/,
  );
});

test("with a Java that cannot run it, too, and nothing that it says comes through", async () => {
  const env = withJava("echo noise; echo noise >&2; exit 3");
  const run = runStart(["--port", "0"], { env });
  await assertFails(run, /^DynamoDB Local did not start: exit code 3\.\n.*Java 17(.|\n)*--dynamodb-endpoint/);
  assert.doesNotMatch(run.errors(), /noise/);
});

test("an endpoint where nothing listens, or something else, is told in one line", async (context) => {
  await assertFails(
    runStart(["--port", "0", "--dynamodb-endpoint", "http://localhost:1"]),
    /^No usable DynamoDB at http:\/\/localhost:1 \(ECONNREFUSED\)\.\n$/,
  );
  const website = createHttpServer((_, response) => response.end("<html>Hello</html>")).listen(0, "127.0.0.1");
  context.after(() => website.close());
  await once(website, "listening");
  const { port } = website.address() as { port: number };
  await assertFails(
    runStart(["--port", "0", "--dynamodb-endpoint", `http://127.0.0.1:${port}`]),
    /^No usable DynamoDB at http:\/\/127\.0\.0\.1:\d+ \(.+\)\.\n$/,
  );
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  test(`${signal} during the start ends it and the database that has not answered yet`, async () => {
    const run = runStart(["--port", "0"], { env: withJava("trap '' INT TERM HUP; while :; do sleep 0.1; done") });
    await until(async () => (await run.children()).length === 1);
    const children = await run.children();
    run.signal(signal);
    assert.equal(await run.exited(), 0);
    await untilGone(children);
    assert.deepEqual([run.output(), run.errors()], ["", ""]);
  });
}
