import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { DescribeTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { GetQueueAttributesCommand } from "@aws-sdk/client-sqs";
import { createApiKey } from "../../functions/endpoints/createApiKey.ts";
import { revokeApiKey } from "../../functions/endpoints/revokeApiKey.ts";
import { updateOrder } from "../../functions/endpoints/updateOrder.ts";
import { queueClient } from "../../functions/ingest/queue.ts";
import { Summary } from "../../functions/resources/summary.ts";
import { demoProgrammes, demoSales } from "../../local/demo/demoRecords.ts";
import { ndjson } from "../cli/support/lines.ts";
import { assertProblem } from "../support/assertProblem.ts";
import { clientOf } from "../support/client.ts";
import { withId } from "../support/examples.ts";
import { send, textOf } from "../support/send.ts";
import { startDistribution } from "./distribution.ts";
import { startEmulator } from "./emulator.ts";
import { leftOut } from "./emulatorGaps.ts";
import { makeKeys } from "./makeKeys.ts";
import { makePeople, type Person } from "./people.ts";
import { run } from "./run.ts";
import { emulatedStage } from "./stage.ts";

/*
 * The stack, deployed by the real CDK on an emulator of AWS, and used over HTTP: npm run test:deployed
 */

const directory = mkdtempSync(join(tmpdir(), "journeys-"));
const emulator = await startEmulator();
after(async () => {
  await emulator.stop();
  rmSync(directory, { recursive: true });
});
for (const [type, reason] of Object.entries(leftOut)) console.log(`Left out: ${type}. ${reason}`);

const stage = emulatedStage(emulator);
await stage.bootstrap();
const outputs = await stage.deploy();
const distribution = await startDistribution(stage.stageUrl(outputs));
after(() => distribution.stop());

const records = join(directory, "records.ndjson");

/** The people and the keys of the stage, once it is made ready. */
let people: Person[] = [];
let organisations: Awaited<ReturnType<typeof makeKeys>> = [];

/** A client of an organisation, with its key that only reads. */
function reader(organisationId: number) {
  const organisation = organisations.find(({ organisation_id }) => organisation_id === organisationId);
  return clientOf(distribution.url, organisation?.keys[0]?.key ?? "");
}

test("a deployed stage is made ready by the platform team's own commands", async () => {
  people = await makePeople(outputs.UserPoolId, stage.environment);
  writeFileSync(records, ndjson([...demoProgrammes(), ...demoSales()]));
  const table = ["--table", outputs.TableName];
  const imported = await run(process.execPath, ["cli/import.ts", records, ...table], stage.environment);
  assert.match(imported, / 0 older than stored, 0 bad lines/);
  await run(process.execPath, ["cli/rebuildSummaries.ts", "--all", ...table], stage.environment);
  organisations = await makeKeys(distribution.url, people);
});

test("what was imported is read through the deployed gateway, authorizer and functions, each organisation's by its own key", async () => {
  const eventsOf = (organisationId: number) =>
    demoProgrammes().flatMap((record) =>
      record.type === "event" && record.organisation_id === organisationId ? [record.data] : [],
    );
  for (const organisationId of [1, 2]) {
    const [own, others] = [eventsOf(organisationId), eventsOf(3 - organisationId)];
    const rows = await reader(organisationId).rows("/v1/events", [7]);
    assert.deepEqual(rows.map(({ id }) => id).toSorted(), own.map(({ id }) => id).toSorted());
    const [event] = own;
    assert.deepEqual(await reader(organisationId).json(`/v1/events/${event?.id}`), event);
    const foreign = others.find(({ id }) => !own.some((one) => one.id === id));
    assert.ok(foreign);
    assertProblem(await reader(organisationId).get(`/v1/events/${foreign.id}`), "not_found");
  }
});

test("summaries equal what was sold", async () => {
  const [{ event_id } = { event_id: 0 }] = demoSales().flatMap((record) =>
    record.type === "order" && record.organisation_id === 1 ? [record.data] : [],
  );
  const paid = demoSales().filter(
    (record) =>
      record.type === "order" && record.data.event_id === event_id && /^(paid|refunded)$/.test(record.data.status),
  );
  const { orders_count } = Summary.parse(await reader(1).json(`/v1/events/${event_id}/summary`));
  assert.equal(orders_count, paid.length);
});

test("the gateway's own errors and the endpoints' have the one shape", async () => {
  assertProblem(await send(`${distribution.url}/v1/events`, { method: "GET" }), "unauthorized");
  assertProblem(await reader(1).get("/v1/events?colour=red"), "invalid_request");
  assertProblem(await reader(1).call(updateOrder, "/v1/orders/1"), "forbidden");
});

test("a super-admin's key works until it is revoked, and no member of staff gets one", async () => {
  const [admin, staff] = ["super-admin", "staff"].map((role) =>
    clientOf(distribution.url, people.find((one) => one.organisation_id === 1 && one.role === role)?.id_token ?? ""),
  );
  assert.ok(admin && staff);
  assertProblem(await staff.call(createApiKey, createApiKey.path), "forbidden");
  const { id, key } = JSON.parse(textOf(await admin.call(createApiKey, createApiKey.path)));
  const holder = clientOf(distribution.url, key);
  assert.equal((await holder.get("/v1/key")).status, 200);
  assert.equal((await admin.call(revokeApiKey, withId(revokeApiKey, id))).status, 200);
  assertProblem(await holder.get("/v1/key"), "unauthorized");
});

test("the same stack deployed again would change nothing", async () => {
  assert.match(await stage.diff(), /Number of stacks with differences: 0/);
});

test("a second deployment with another setting changes the stack, and keys and data stay", async () => {
  const sender = "111122223333";
  const again = await stage.deploy({ webAcl: "on", feedSenders: sender });
  assert.deepEqual(again, outputs);
  const input = { QueueUrl: outputs.FeedQueueUrl, AttributeNames: ["Policy" as const] };
  const { Attributes } = await queueClient(outputs.FeedQueueUrl).send(new GetQueueAttributesCommand(input));
  assert.ok(Attributes?.Policy?.includes(sender));
  assert.ok((await reader(1).rows("/v1/events")).length > 10);
});

test("a dev stage is removed with its table", async () => {
  await stage.destroy();
  const gone = { name: "ResourceNotFoundException" };
  const describing = new DynamoDBClient({}).send(new DescribeTableCommand({ TableName: outputs.TableName }));
  await assert.rejects(describing, gone);
});
