import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, test } from "@jest/globals";
import { createWebhook } from "../../functions/endpoints/createWebhook.ts";
import { recordItem, tombstone } from "../../functions/records/recordItem.ts";
import { upsertRecord } from "../../functions/records/upsertRecord.ts";
import { openTable } from "../../functions/table/table.ts";
import { useLocalTable } from "../../local/localService.ts";
import { tableName } from "../../local/serve.ts";
import { portOf } from "../../packages/local-aws/gateway/server.ts";
import { eventRecord } from "../support/data/records.ts";
import { clientOf } from "../support/http/client.ts";
import { textOf } from "../support/http/send.ts";
import { Visitor } from "../support/http/visitor.ts";
import { cases } from "../support/jest/cases.ts";
import { type ChildService, startChildService } from "../support/service/childService.ts";

const kills = cases(4, 20);
const changes = cases(1_000, 10_000);
const deletions = changes / 20;
const organisationId = 1;
/** Above those of the demo data. */
const firstId = 1_000_000;
const endpoint = String(process.env.TEST_DYNAMODB_ENDPOINT);
const directory = await mkdtemp(join(tmpdir(), "receiver-"));
const file = join(directory, "messages.ndjson");
const receiverProgram = join(import.meta.dirname, "../support/webhooks/receiverProcess.ts");

let service: ChildService;
let receiver: ChildProcess;
const start = () => startChildService("--dynamodb-endpoint", endpoint);
afterAll(async () => {
  receiver?.kill("SIGKILL");
  service?.stop();
  await rm(directory, { recursive: true });
});

async function startReceiver(port: number, secret: string): Promise<void> {
  receiver = fork(receiverProgram, [String(port), secret, file], { execArgv: [] });
  await once(receiver, "message");
}

interface Message {
  id: string;
  type: string;
  data: { changes: { type: string; id: number; change: string; changed_at: string }[] };
}
const messages = async (): Promise<Message[]> =>
  existsSync(file)
    ? (await readFile(file, "utf8"))
        .trim()
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];

/** What a receiver knows: the ids that exist, by the messages in the order of their arrival. */
async function copy(): Promise<Set<number>> {
  const known = new Set<number>();
  for (const { data } of await messages())
    for (const { type, id, change } of data.changes) {
      if (type !== "event" || id < firstId) continue;
      if (change === "deleted") known.delete(id);
      else known.add(id);
    }
  return known;
}

async function write(from: number, to: number, pauseMs: number): Promise<void> {
  const table = openTable();
  for (let start = from; start < to; start += 20) {
    const ids = Array.from({ length: Math.min(20, to - start) }, (_, index) => start + index);
    await Promise.all(
      ids.map((id) =>
        upsertRecord(table, recordItem(eventRecord(organisationId, firstId + id, { name: `${Math.random()}` }))),
      ),
    );
    await wait(pauseMs);
  }
}

/** Starts service and receiver with a webhook between them. @returns starts the receiver again. */
async function begin(): Promise<() => Promise<void>> {
  service = await start();
  useLocalTable(endpoint, tableName);
  const { issuer, base_url, people } = service.description;
  const person = people.find((one) => one.organisation_id === organisationId && one.role === "super-admin");
  assert.ok(person);
  const signIn = { issuer, clientId: "developer-area", returnTo: `${base_url}/developer` };
  const admin = clientOf(base_url, (await new Visitor(signIn).tokensFor(person)).id_token);
  const free = createServer().listen(0, "127.0.0.1");
  await once(free, "listening");
  const port = portOf(free);
  free.close();
  const body = JSON.stringify({ url: `http://127.0.0.1:${port}/`, types: ["event"] });
  const { secret } = JSON.parse(textOf(await admin.call(createWebhook, createWebhook.path, { body })));
  await startReceiver(port, secret);
  return () => startReceiver(port, secret);
}

/** Kills the service, with its delivery, or the receiver, at random moments. */
async function kill(times: number, restartReceiver: () => Promise<void>): Promise<void> {
  for (let killed = 1; killed <= times; killed++) {
    await wait(randomInt(500, 6_000));
    if (killed % 3 === 0) {
      service.stop("SIGKILL");
      service = await start();
    } else {
      receiver.kill("SIGKILL");
      await once(receiver, "exit");
      await wait(randomInt(0, 500));
      await restartReceiver();
    }
  }
}

/** Deletes every third of the first events. @returns the ids that are left. */
async function deleteSome(): Promise<number[]> {
  for (let number = 0; number < deletions; number++) {
    const id = firstId + number * 3;
    await upsertRecord(
      openTable(),
      tombstone({ type: "event", organisation_id: organisationId, id, deleted: true, version: 1 }),
    );
  }
  const isLeft = (id: number) => id % 3 !== 0 || id / 3 >= deletions;
  return Array.from({ length: changes }, (_, id) => id)
    .filter(isLeft)
    .map((id) => firstId + id);
}

async function untilKnown(expected: number[]): Promise<void> {
  const startedMs = Date.now();
  const wanted = JSON.stringify(expected);
  while (JSON.stringify([...(await copy())].sort((one, other) => one - other)) !== wanted) {
    assert.ok(Date.now() - startedMs < 180_000, `${(await copy()).size} of ${expected.length} events are known.`);
    await wait(500);
  }
}

test("a receiver misses nothing and gets all in order, while the service and the receiver are killed", async () => {
  const restartReceiver = await begin();
  // Without faults, each change is reported exactly once.
  await write(0, 300, 100);
  while ((await copy()).size < 300) await wait(200);
  const first = (await messages()).flatMap(({ data }) => data.changes);
  assert.equal(new Set(first.map(({ id, changed_at }) => `${id} ${changed_at}`)).size, first.length);

  await Promise.all([write(0, changes, cases(200, 250)), kill(kills, restartReceiver)]);
  await untilKnown(await deleteSome());
  const all = await messages();
  console.log(
    `${all.length} messages, ${all.length - new Set(all.map(({ id }) => id)).size} repeated, ${kills} kills.`,
  );
  let earlier = "";
  for (const { data } of all) {
    const times = data.changes.map(({ changed_at }) => changed_at);
    assert.deepEqual(times, times.toSorted());
    // A message that is repeated begins where the last one began.
    assert.ok((times[0] ?? "") >= earlier, `${times[0]} after ${earlier}`);
    earlier = times[0] ?? "";
  }
});
