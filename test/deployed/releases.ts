import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { GetQueueAttributesCommand } from "@aws-sdk/client-sqs";
import { test } from "@jest/globals";
import { listApiKeys } from "../../functions/endpoints/listApiKeys.ts";
import { importPrefix, reportKeyOf } from "../../functions/feed/importLimits.ts";
import { queueClient } from "../../functions/queue.ts";
import { demoRecordsFile } from "../../local/demo/demoRecords.ts";
import { assertProblem } from "../support/http/assertProblem.ts";
import { clientOf } from "../support/http/client.ts";
import { cases } from "../support/jest/cases.ts";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";
import { startDistribution } from "./emulator/distribution.ts";
import { createAfterFailure } from "./failedCreation.ts";
import { emulated } from "./startStage.ts";
import { checkOutBadRelease } from "./support/badRelease.ts";
import { resourcesOf } from "./support/leftovers.ts";

/*
 * Changes of a deployed stage: releases, a rollback, other settings, stacks that are deleted or fail.
 */

const { stage, outputs, organisations, reader, personOf } = emulated;

test("deploying the same stack again would change nothing", async () => {
  assert.match(await stage.diff(), /Number of stacks with differences: 0/);
});

/** Sends requests with a key during the work. @returns their statuses. */
async function whileRequesting(work: () => Promise<unknown>): Promise<Set<number>> {
  const statuses = new Set<number>();
  let isOver = false;
  const requesting = (async () => {
    for (; !isOver; await wait(50)) statuses.add((await reader(1).get("/v1/key")).status);
  })();
  await work().finally(() => {
    isOver = true;
  });
  await requesting;
  assert.equal((await reader(1).get("/v1/key")).status, 200);
  return statuses;
}

test("a file in the import bucket is imported, and its report says so", async () => {
  const client = new S3Client({});
  const Bucket = outputs.ImportBucketName;
  const Key = `${importPrefix}demo.ndjson`;
  await client.send(new PutObjectCommand({ Bucket, Key, Body: readFileSync(demoRecordsFile) }));
  const report = async (): Promise<{ state: string; rejected: number }> => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: reportKeyOf(Key) }));
    return JSON.parse(String(await Body?.transformToString()));
  };
  const read = () =>
    report().catch((error) => (error instanceof NoSuchKey ? { state: "running", rejected: 0 } : Promise.reject(error)));
  let found = await read();
  for (; found.state === "running"; found = await read()) await wait(500);
  assert.deepEqual([found.state, found.rejected], ["done", 0]);
});

test("a bad release is replaced by the one before, with the workflow's script", async () => {
  const { checkout, goBack } = await checkOutBadRelease();
  await stage.deploy({ webAcl: "on" }, checkout);
  assertProblem(await reader(1).get("/v1/key"), "internal_error");
  await goBack();
  const statuses = await whileRequesting(() => stage.deploy({ webAcl: "on" }, checkout));
  for (const status of statuses) assert.ok(status === 200 || status === 500, String(status));
});

test("no request is refused while the origin's secret and other settings change", async () => {
  const settings = {
    webAcl: "on",
    originSecretVersion: "2",
    feedSenders: "111122223333",
    signInSuperAdminRole: "owner",
  };
  assert.deepEqual(await whileRequesting(() => stage.deploy(settings)), new Set([200]));
  assertProblem(await personOf("super-admin").get(listApiKeys.path), "forbidden");
  const input = { QueueUrl: outputs.FeedQueueUrl, AttributeNames: ["Policy" as const] };
  const { Attributes } = await queueClient(outputs.FeedQueueUrl).send(new GetQueueAttributesCommand(input));
  assert.ok(Attributes?.Policy?.includes(settings.feedSenders));
  assert.ok((await reader(1).rows("/v1/events")).length > 1);
});

// Rare, so only with THOROUGH=1.
if (cases(false, true)) {
  test("the API stack can be deleted and created again, and the data is still there", async () => {
    await stage.destroy(stage.stack);
    const again = await stage.deploy();
    assert.equal(again.TableName, outputs.TableName);
    assert.notEqual(again.ApiId, outputs.ApiId);
    const front = await stage.front(again);
    const url = await startDistribution(() => front);
    const client = clientOf(url, organisations[0]?.keys[0]?.key ?? "");
    assert.ok((await client.rows("/v1/events")).length > 1);
  });

  test("a failed first creation of a protected stage can be repeated once its protection is off", async () => {
    const { failed, tableName } = await createAfterFailure({
      ...stage,
      directory: temporaryDirectory(),
    });
    assert.match(failed, /ROLLBACK_COMPLETE/);
    const { Stacks } = await new CloudFormationClient({}).send(
      new DescribeStacksCommand({ StackName: "ticketing-staging-data" }),
    );
    assert.deepEqual(
      Stacks?.map(({ StackStatus, EnableTerminationProtection }) => [StackStatus, EnableTerminationProtection]),
      [["CREATE_COMPLETE", true]],
    );
    // On AWS the first creation would also leave its table behind, which the emulator's rollback deletes.
    const tables = (await resourcesOf("ticketing-staging"))["DynamoDB tables"];
    assert.deepEqual(tables, [tableName]);
  });
}

test("removing a dev stage leaves only the role by which every API of the account writes its logs", async () => {
  const kinds = Object.entries(await resourcesOf(stage.stack));
  for (const [kind, names] of kinds) assert.ok(names.length > 0, `Before its removal the stage lacks ${kind}.`);
  await stage.destroy();
  const left = Object.values(await resourcesOf(stage.stack)).flat();
  assert.deepEqual(
    left.filter((name) => !name.includes("ApiGatewayCloudWatchRole")),
    [],
  );
});
