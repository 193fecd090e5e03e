import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "@jest/globals";
import { portOf } from "../../../local/gateway/server.ts";
import { runProgram } from "../support/runProgram.ts";

const arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/ticketing-prod-20260301020000";
const stream = `${arn}/stream/2026-03-01T02:41:07.120`;
const another = stream.replace("20260301", "20260401");

const cwd = mkdtempSync(join(tmpdir(), "stages-"));
mkdirSync(join(cwd, "stages"));
/** The outputs of the deployed data stack; undefined if it does not exist. */
let outputs: Record<string, string> | undefined;
/** CloudFormation, as far as the command uses it. */
const server = createServer((_request, response) => {
  const members = Object.entries(outputs ?? {}).map(
    ([name, value]) => `<member><OutputKey>${name}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  if (outputs)
    response.end(
      `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>s</StackName><Outputs>${members.join("")}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
    );
  else
    response
      .writeHead(400)
      .end(
        "<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id s does not exist</Message></Error></ErrorResponse>",
      );
});
beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"));
afterAll(() => {
  server.close();
  rmSync(cwd, { recursive: true });
});

/** Compares a file of settings with a deployed stage. */
async function check(
  written: unknown,
  deployed: Record<string, string> | undefined,
  stage = "staging",
  asProcess = false,
) {
  outputs = deployed;
  const text =
    typeof written === "string" ? written : JSON.stringify({ alarmEmails: ["ops@example.org"], ...Object(written) });
  writeFileSync(join(cwd, "stages", "staging.json"), text);
  const environment = {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${portOf(server)}`,
    AWS_REGION: "eu-west-1",
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
  };
  return runProgram("stage/checkStage", ["--stage", stage], { cwd, environment, asProcess });
}

test("a file that agrees with the stage passes, with and without a restored table", async () => {
  for (const [restoredTableStream, deployed] of [
    [undefined, "none"],
    [null, "none"],
    [stream, stream],
  ]) {
    const { code, stdout } = await check({ restoredTableStream }, { RestoredTableStream: String(deployed) });
    assert.deepEqual(
      [code, stdout],
      [0, `stages/staging.json agrees with the deployed stage: restored table ${deployed}.\n`],
    );
  }
});

test("a file that lacks the stage's restored table fails, and names it", async () => {
  const { code, stdout } = await check({}, { RestoredTableStream: stream }, "staging", true);
  assert.equal(code, 1);
  assert.match(stdout, new RegExp(`restoredTableStream ${stream}, which the file lacks`));
});

test("a deliberate change passes only if requests keep their rights on the table in use", async () => {
  assert.equal((await check({ restoredTableStream: stream }, { RestoredTableStream: "none" })).code, 0);
  for (const restoredTableStream of [null, another]) {
    const { code, stdout } = await check({ restoredTableStream }, { RestoredTableStream: stream });
    assert.deepEqual([code, stdout.includes(`Set formerTableArn to it`)], [1, true]);
    const formerTableArn = arn;
    assert.equal((await check({ restoredTableStream, formerTableArn }, { RestoredTableStream: stream })).code, 0);
  }
});

test("a stage that is not deployed, or does not report its table, has nothing to compare", async () => {
  for (const deployed of [undefined, { TableName: "t" }]) {
    const { code, stdout } = await check({}, deployed);
    assert.equal(code, 0);
    assert.match(stdout, /Nothing was compared/);
  }
});

test("a wrong stage, and a file that is missing, damaged or invalid, are reported in words", async () => {
  for (const [written, stage, expected] of [
    [{}, "production", /Must be dev, staging or prod/],
    [{}, "prod", /Cannot read the settings in stages\/prod\.json: ENOENT/],
    ["{", "staging", /Cannot read the settings in stages\/staging\.json: .*JSON/],
    ["[1]", "staging", /stages\/staging\.json must be an object of settings without a stage/],
    [{ stage: "prod" }, "staging", /without a stage/],
    [{ alarmEmail: "a@example.org" }, "staging", /stages\/staging\.json, or .*\n.*Unrecognized key: "alarmEmail"/],
    [{ restoredTableStream: stream, formerTableArn: arn }, "staging", /Must be another table.*\n.*formerTableArn/],
  ] as const) {
    const { code, stdout, stderr } = await check(written, {}, stage);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, expected);
  }
});
