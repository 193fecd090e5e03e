import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { GetQueueAttributesCommand } from "@aws-sdk/client-sqs";
import { afterAll, test } from "@jest/globals";
import { listApiKeys } from "../../functions/endpoints/listApiKeys.ts";
import { queueClient } from "../../functions/feed/queue.ts";
import { assertProblem } from "../support/http/assertProblem.ts";
import { clientOf } from "../support/http/client.ts";
import { cases } from "../support/jest/cases.ts";
import { checkOutBeforeBadRelease, keepRequesting } from "./badDay.ts";
import { startDistribution } from "./emulator/distribution.ts";
import { resourcesOf } from "./emulator/inspect.ts";
import { createAfterFailure } from "./failedCreation.ts";
import { emulated } from "./startStage.ts";

/*
 * How a deployed stage changes: releases, a rollback, other settings, stacks that are deleted or fail.
 */

const directory = mkdtempSync(join(tmpdir(), "releases-"));
afterAll(() => rmSync(directory, { recursive: true }));
const { emulator, stage, outputs, organisations, reader, personOf } = emulated;

test("deploying the same stack again would change nothing", async () => {
  assert.match(await stage.diff(), /Number of stacks with differences: 0/);
});

test("a bad release is replaced by the commit before it with other settings and another origin's secret: the stack and the live functions change, keys and data remain, and no request is refused", async () => {
  const sender = "111122223333";
  const settings = { webAcl: "on", feedSenders: sender, signInSuperAdminRole: "owner", originSecretVersion: "2" };
  const checkout = await checkOutBeforeBadRelease((bad) => stage.deploy({}, bad), reader(1));
  const stop = keepRequesting(reader(1));
  const again = await stage.deploy(settings, checkout);
  const statuses = await stop();
  assert.equal((await reader(1).get("/v1/key")).status, 200);
  assert.ok(statuses.length > 20);
  assert.deepEqual(new Set(statuses), new Set([200]));
  assert.deepEqual(again, outputs);
  assertProblem(await personOf("super-admin").get(listApiKeys.path), "forbidden");
  const input = { QueueUrl: outputs.FeedQueueUrl, AttributeNames: ["Policy" as const] };
  const { Attributes } = await queueClient(outputs.FeedQueueUrl).send(new GetQueueAttributesCommand(input));
  assert.ok(Attributes?.Policy?.includes(sender));
  assert.ok((await reader(1).rows("/v1/events")).length > 1);
});

// Rare, so only with THOROUGH=1.
if (cases(false, true)) {
  test("the API stack can be deleted and created again, and the data is still there", async () => {
    await stage.destroy(stage.stack);
    const again = await stage.deploy();
    assert.equal(again.TableName, outputs.TableName);
    assert.notEqual(again.ApiId, outputs.ApiId);
    const { url, stop } = await startDistribution(() => stage.stageUrl(again));
    const client = clientOf(url, organisations[0]?.keys[0]?.key ?? "");
    assert.ok((await client.rows("/v1/events")).length > 1);
    await stop();
  });

  test("a failed first creation of a protected stage can be repeated once its protection is off", async () => {
    const { failed, tableName } = await createAfterFailure({
      ...stage,
      directory: mkdtempSync(join(directory, "failed-")),
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
    const tables = (await resourcesOf("ticketing-staging", emulator.endpoint))["DynamoDB tables"];
    assert.deepEqual(tables, [tableName]);
  });
}

test("removing a dev stage leaves only the role by which every API of the account writes its logs", async () => {
  const kinds = Object.entries(await resourcesOf(stage.stack, emulator.endpoint));
  for (const [kind, names] of kinds) assert.ok(names.length > 0, `Before its removal the stage lacks ${kind}.`);
  await stage.destroy();
  const left = Object.values(await resourcesOf(stage.stack, emulator.endpoint)).flat();
  assert.deepEqual(
    left.filter((name) => !name.includes("ApiGatewayCloudWatchRole")),
    [],
  );
});
