import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { GetQueueAttributesCommand } from "@aws-sdk/client-sqs";
import { afterAll, test } from "@jest/globals";
import { resourcesOf } from "../../cli/rehearse/leftovers.ts";
import { type Rehearsed, steps } from "../../cli/rehearse/steps.ts";
import { takeSteps } from "../../cli/rehearse/takeSteps.ts";
import { listApiKeys } from "../../functions/endpoints/listApiKeys.ts";
import { queueClient } from "../../functions/feed/queue.ts";
import { portOf } from "../../packages/local-aws/gateway/server.ts";
import { assertProblem } from "../support/http/assertProblem.ts";
import { clientOf } from "../support/http/client.ts";
import { cases } from "../support/jest/cases.ts";
import { startDistribution } from "./emulator/distribution.ts";
import { leftOut } from "./emulator/emulatorGaps.ts";
import { createAfterFailure } from "./failedCreation.ts";
import { emulated } from "./startStage.ts";

/*
 * How a deployed stage changes: releases, a rollback, other settings, stacks that are deleted or fail.
 */

const directory = mkdtempSync(join(tmpdir(), "releases-"));
afterAll(() => rmSync(directory, { recursive: true }));
const { stage, outputs, distribution, organisations, reader, personOf } = emulated;

test("deploying the same stack again would change nothing", async () => {
  assert.match(await stage.diff(), /Number of stacks with differences: 0/);
});

/** What the emulator cannot do of a rehearsal. */
const skipped = {
  quotas: "It has no Service Quotas. checkStage.test.ts compares the answers of AWS.",
  deploy: "The stage is deployed already, to run the journeys.",
  smoke: `The website is missing. ${leftOut["Custom::CDKBucketDeployment"]}`,
  journeys: "requests.ts runs those that the emulator can support.",
  alarm: "It records no action of an alarm. rehearse.test.ts reads the answers of AWS.",
  canary: `Nothing would roll a release back. ${leftOut["AWS::CloudWatch::Alarm with metric math"]}`,
};
/** Further settings that the last release has. */
const others = { feedSenders: "111122223333", signInSuperAdminRole: "owner" };

const rehearsed: Rehearsed = {
  name: "dev",
  environment: stage.environment,
  baseUrl: async () => distribution.url,
  erasure: ["--settle", "2"],
  deploy: async (settings, { checkout } = { checkout: "." }) => {
    const chosen = { ...settings, ...(settings.originSecretVersion && others) };
    assert.deepEqual(await stage.deploy(chosen, checkout === "." ? undefined : checkout), outputs);
  },
  destroy: () => stage.destroy(),
  signal: new AbortController().signal,
};

/** Takes steps of a rehearsal. @returns what they printed, and their results by name. */
async function rehearse(choice: Parameters<typeof takeSteps>[2], receiver?: string) {
  let printed = "";
  const stdout = { write: (text: string) => (printed += text) };
  await takeSteps({ ...rehearsed, receiver }, { stdout }, { skipped, ...choice });
  console.log(printed);
  const rows = [...printed.matchAll(/^([a-z-]+) +(passed|skipped|FAILED) /gm)];
  return { printed, results: Object.fromEntries(rows.map(([, name, result]) => [name, result])) };
}

test("a rehearsal passes, except for what the emulator lacks: a feed file, a webhook, a good and a bad release, an organisation's erasure, and another origin's secret, for which no request is refused", async () => {
  const receiver = createServer((_, outgoing) => outgoing.writeHead(204).end());
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  const { printed, results } = await rehearse({ before: "destroy" }, `http://127.0.0.1:${portOf(receiver)}/`);
  receiver.close();
  const expected = Object.keys(steps)
    .slice(0, -2)
    .map((name) => [name, name in skipped ? "skipped" : "passed"]);
  assert.deepEqual(results, Object.fromEntries(expected), printed);
  for (const reason of Object.values(skipped)) assert.ok(printed.includes(`skipped: ${reason}\n`), reason);
  assertProblem(await personOf("super-admin").get(listApiKeys.path), "forbidden");
  const input = { QueueUrl: outputs.FeedQueueUrl, AttributeNames: ["Policy" as const] };
  const { Attributes } = await queueClient(outputs.FeedQueueUrl).send(new GetQueueAttributesCommand(input));
  assert.ok(Attributes?.Policy?.includes(others.feedSenders));
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
    const tables = (await resourcesOf("ticketing-staging"))["DynamoDB tables"];
    assert.deepEqual(tables, [tableName]);
  });
}

test("removing a dev stage leaves only the role by which every API of the account writes its logs", async () => {
  const kinds = Object.entries(await resourcesOf(stage.stack));
  for (const [kind, names] of kinds) assert.ok(names.length > 0, `Before its removal the stage lacks ${kind}.`);
  const { printed, results } = await rehearse({ from: "destroy" });
  assert.deepEqual(results, { destroy: "passed", leftovers: "passed" }, printed);
  const left = Object.values(await resourcesOf(stage.stack)).flat();
  assert.deepEqual(
    left.filter((name) => !name.includes("ApiGatewayCloudWatchRole")),
    [],
  );
  for (const name of left) assert.ok(printed.includes(name));
});
