import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { SendMessageCommand } from "@aws-sdk/client-sqs";
import { createApiKey } from "../../functions/endpoints/createApiKey.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import { recordBalancePayment } from "../../functions/endpoints/recordBalancePayment.ts";
import { updateOrder } from "../../functions/endpoints/updateOrder.ts";
import { queueClient } from "../../functions/queue.ts";
import { assertProblem } from "../support/http/assertProblem.ts";
import { type Client, clientOf } from "../support/http/client.ts";
import { hasId, pathOf } from "../support/http/examples.ts";
import { textOf } from "../support/http/send.ts";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";
import { run } from "./support/run.ts";

/** The platform team's commands on a deployed stage. */
export function onCall(environment: NodeJS.ProcessEnv) {
  const command = (name: string, ...commandLine: string[]) =>
    run(process.execPath, ["cli/ops.ts", ...name.split(" "), ...commandLine], environment);
  const atTable = (name: string, ...commandLine: string[]) =>
    command(name, ...commandLine, "--actor", "Grace", "--stage", "dev");
  return { command, atTable };
}
type OnCall = ReturnType<typeof onCall>;

/** A key whose prefix is in a log is revoked by the platform team. */
export async function revokeLeakedKey({ atTable }: OnCall, admin: Client, baseUrl: string): Promise<void> {
  const { key, prefix } = JSON.parse(textOf(await admin.call(createApiKey, createApiKey.path)));
  const holder = clientOf(baseUrl, key);
  assert.equal((await holder.get("/v1/key")).status, 200);
  assert.match(await atTable("key revoke", "--prefix", prefix), /Revoked at .* by Grace \(platform team\)/);
  assertProblem(await holder.get("/v1/key"), "unauthorized");
}

/** An organisation's keys stop and work again, and another's never stop. */
export async function suspendAndResume({ atTable }: OnCall, own: Client, admin: Client, other: Client): Promise<void> {
  const options = ["--organisation", "2"];
  await atTable("organisation suspend", ...options);
  assertProblem(await own.get("/v1/key"), "unauthorized");
  assertProblem(await admin.call(createApiKey, createApiKey.path), "conflict");
  assert.equal((await other.get("/v1/key")).status, 200);
  await atTable("organisation suspend", ...options, "--resume");
  assert.equal((await own.get("/v1/key")).status, 200);
}

/** An organisation with a balance payment and a note is exported, erased and restored alone: every GET answers as before. */
export async function eraseAndRestore({ atTable }: OnCall, own: Client, other: Client): Promise<void> {
  const [{ id: event } = {}] = await own.rows("/v1/events");
  const [{ id: order } = {}] = await own.rows("/v1/orders");
  assert.equal((await own.call(recordBalancePayment, `/v1/events/${event}/balance-payments`)).status, 201);
  assert.equal((await own.call(updateOrder, `/v1/orders/${order}`)).status, 200);
  await wait(12_000); // Changes are shown after some seconds.
  const [before, ofOther] = [await answersOf(own), await other.rows("/v1/events")];
  assert.ok(Object.keys(before).length > 50);

  const file = join(temporaryDirectory(), "two.ndjson");
  const options = ["--organisation", "2"];
  await atTable("organisation export", ...options, "--output", file);
  await atTable("organisation erase", ...options, "--confirm", "2", "--settle", "2");
  assertProblem(await own.get("/v1/key"), "unauthorized");
  assert.deepEqual(await other.rows("/v1/events"), ofOther);
  await atTable("organisation restore", ...options, "--from-export", file);
  assert.equal((await own.get("/v1/key")).status, 200);
  // Summaries are counted again, and changes are shown after some seconds.
  const late = ["/v1/changes", ...Object.keys(before).filter((path) => path.endsWith("/summary"))];
  for (const path of late) while (!isDeepStrictEqual(await answerOf(own, path), before[path])) await wait(500);
  assert.deepEqual(await answersOf(own), before);
}

const maximumIds = 3;
const childrenOf: Record<string, string> = {
  "/v1/tickets/{id}": "/v1/orders/{id}/tickets",
  "/v1/discounts/{id}": "/v1/events/{id}/discounts",
  "/v1/attendees/{id}": "/v1/dates/{id}/attendees",
};

/** The answers at every GET with an API key, by path. */
async function answersOf(client: Client): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const endpoint of endpoints.filter(({ method, caller }) => method === "GET" && caller.scheme === "apiKey")) {
    const paths = hasId(endpoint) ? await pathsOf(client, endpoint.path) : [pathOf(endpoint)];
    for (const one of paths) answers[one] = await answerOf(client, one);
  }
  return answers;
}

/** An answer without the times that a restore sets anew. Changes have another order then. */
async function answerOf(client: Client, path: string): Promise<unknown> {
  const answer = Object(await client.json(path));
  if (!("data" in answer)) return lasting(answer);
  const rows = (await client.rows(path)).map(lasting);
  return path === "/v1/changes" ? sortedByName(rows) : rows;
}

async function pathsOf(client: Client, path: string): Promise<string[]> {
  if (!path.includes("{id}")) return [path];
  const children = childrenOf[path];
  const lists = children ? await pathsOf(client, children) : [path.slice(0, path.indexOf("/{id}"))];
  const ids = new Set((await Promise.all(lists.map((list) => client.rows(list)))).flat().map(({ id }) => id));
  return [...ids].slice(0, maximumIds).map((id) => path.replace("{id}", String(id)));
}

function sortedByName(rows: Record<string, unknown>[]): Record<string, unknown>[] {
  const nameOf = ({ type, id }: Record<string, unknown>) => `${type} ${id}`;
  return rows.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

function lasting({ date_generated: _generated, changed_at: _changed, key: _key, ...row }: Record<string, unknown>) {
  return row;
}

/**
 * A poisoned message becomes a dead letter, and is dropped into a file. `--move` is tested on the local queue: ministack 1.5.33 has no
 * StartMessageMoveTask.
 */
export async function dropDeadLetter({ command, atTable }: OnCall, queueUrl: string): Promise<void> {
  const program = "dead-letters";
  const MessageBody = JSON.stringify({ type: "event", organisation_id: 2, data: { id: 7 } });
  await queueClient(queueUrl).send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody, MessageGroupId: "2" }));
  const deadLetter = async (): Promise<string> => {
    for (;;) {
      const list = await command(program, "--stage", "dev");
      const [, id] = /Z {2}(\S+) .*event 7 of organisation 2: data\.\w+: /.exec(list) ?? [];
      if (id !== undefined) return id;
      await wait(500);
    }
  };
  const id = await deadLetter();
  const file = join(temporaryDirectory(), "dropped.ndjson");
  assert.match(await atTable(program, "--message", id, "--drop-to", file), /1 dead letters removed and saved in /);
  assert.equal(readFileSync(file, "utf8"), `${MessageBody}\n`);
  for (const queue of ["feed", "import", "table-stream", "events", "usage"])
    assert.match(await command(program, "--queue", queue, "--stage", "dev"), /^0 dead letters\./);
}

/** Another stage's name, with the table or the queue of this one, changes nothing. */
export async function rejectOtherStages({ command }: OnCall, outputs: Record<string, string>): Promise<void> {
  const { TableName = "", FeedQueueUrl = "" } = outputs;
  for (const [stage, problem] of [
    [["--stage", "prod"], "belongs to the stage dev, not to prod. Nothing was changed."],
    [[], "belongs to the stage dev, which --stage must name. Nothing was changed."],
  ] as const) {
    const sure = ["--organisation", "2", "--actor", "Grace", "--table", TableName, ...stage];
    for (const failing of [
      command("organisation suspend", ...sure),
      command("organisation erase", "--confirm", "2", ...sure),
      command("dead-letters", "--queue-url", FeedQueueUrl, "--table", TableName, ...stage),
    ])
      await assert.rejects(failing, (error) => String(error).includes(problem));
  }
  const missing = command("organisation suspend", "--organisation", "2", "--actor", "x", "--stage", "prod");
  await assert.rejects(missing, /The stage prod has no output TableName in this account and region\./);
}
