import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "@jest/globals";
import { demoRecords } from "../../local/demo/demoRecords.ts";
import { type ServiceDescription, useLocalTable } from "../../local/localService.ts";
import { childrenOf, runStart, startPath, untilGone } from "../local/runStart.ts";
import { putRecords } from "../support/data/table.ts";
import { freePort } from "../support/http/listen.ts";
import { until } from "../support/service/until.ts";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";

/** The first response of a starting service to the first organisation's first key. */
async function firstAnswer(url: string, { organisations }: ServiceDescription): Promise<Response> {
  const headers = { Authorization: `Bearer ${organisations[0]?.keys[0]?.key}` };
  let answer: Response | undefined;
  await until(async () => {
    answer = await fetch(url, { headers }).catch(() => undefined);
    return answer !== undefined;
  });
  assert.ok(answer);
  return answer;
}

test("a killed database ends the service with a message, and the next start has its data and keys", async () => {
  const cwd = temporaryDirectory();
  const port = await freePort();
  const start = () => runStart(["--port", String(port), "--data", "new/directory"], { cwd });

  const first = start();
  const before = await first.served();
  const [demoEvent] = demoRecords();
  assert.ok(demoEvent?.type === "event");
  const changed = { ...demoEvent, data: { ...demoEvent.data, name: "Changed" } };
  useLocalTable(before.dynamodb_endpoint, before.table_name);
  await putRecords([changed]);
  for (const pid of await first.children()) process.kill(pid, "SIGKILL");
  assert.equal(await first.exited(), 1);
  assert.match(first.errors(), /^DynamoDB Local ended \(SIGKILL\).*\n$/);

  const second = start();
  const early = await firstAnswer(`http://127.0.0.1:${port}/v1/events/${changed.data.id}`, before);
  assert.equal(early.status, 200);
  expect(await early.json()).toEqual(changed.data);
  assert.deepEqual((await second.served()).organisations, before.organisations);
  const children = await second.children();
  second.signal("SIGTERM");
  assert.equal(await second.exited(), 0);
  await untilGone(children);
});

test("a restart under node --watch leaves no database behind", async () => {
  const cwd = temporaryDirectory();
  const program = join(cwd, "watched.ts");
  const write = () => writeFile(program, `import ${JSON.stringify(startPath)};\n`);
  await write();
  const watcher = runStart(["--port", "0"], { cwd, program, nodeOptions: ["--watch"] });
  await watcher.served();
  const generation = async () => {
    const services = await watcher.children();
    return { services, databases: (await Promise.all(services.map(childrenOf))).flat() };
  };
  const first = await generation();
  assert.deepEqual([first.services.length, first.databases.length], [1, 1]);
  await write();
  await untilGone([...first.services, ...first.databases]);
  await until(async () => (await generation()).databases.length === 1);
  const second = await generation();
  watcher.signal("SIGTERM");
  await untilGone([watcher.pid, ...second.services, ...second.databases]);
});

test("DynamoDB Local ends when its parent is killed", async () => {
  const program = join(temporaryDirectory(), "parent.ts");
  await writeFile(
    program,
    `import { startDynamoDbLocal } from ${JSON.stringify(join(dirname(startPath), "../packages/local-aws/dynamodb/startDynamoDbLocal.ts"))};
    console.log((await startDynamoDbLocal()).endpoint);`,
  );
  const parent = runStart([], { program });
  await until(async () => parent.output().includes("\n"));
  const endpoint = parent.output().trim();
  const responds = () =>
    fetch(endpoint).then(
      () => true,
      () => false,
    );
  assert.ok(await responds());
  const children = await parent.children();
  assert.equal(children.length, 1);
  parent.signal("SIGKILL");
  await untilGone(children);
  await until(async () => !(await responds()));
});
