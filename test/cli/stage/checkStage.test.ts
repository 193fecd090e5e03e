import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, test } from "@jest/globals";
import { Refusal, startFakeAws } from "../../support/aws/fakeAws.ts";
import { temporaryDirectory } from "../../support/temporaryDirectory.ts";
import { runProgram } from "../support/runProgram.ts";

const deployedTable = { TableName: "ticketing-staging-data-Table" };

const cwd = temporaryDirectory();
mkdirSync(join(cwd, "deploy/stages"), { recursive: true });
/** The region and account of the credentials, and the outputs of the stacks there by name. */
let place = "eu-west-1:123456789012";
let stacks: Record<string, Record<string, string>> = {};
const aws = await startFakeAws();
aws.answers = {
  DescribeStacks: ({ StackName }: { StackName: string }) => {
    const outputs = stacks[StackName];
    if (!outputs) return new Refusal("ValidationError", `Stack with id ${StackName} does not exist`);
    const Outputs = Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));
    return { Stacks: [{ StackId: `arn:aws:cloudformation:${place}:stack/${StackName}/1`, StackName, Outputs }] };
  },
};
afterEach(() => {
  place = "eu-west-1:123456789012";
});

const own = { account: "123456789012", region: "eu-west-1", alarmEmails: ["ops@example.org"] };

/** Compares a file of settings with a deployed stage, whose data stack has these outputs. */
async function check(written: unknown, deployed: Record<string, string> | undefined, ...options: string[]) {
  stacks = { CDKToolkit: {}, ...(deployed && { "ticketing-staging-data": deployed }) };
  return checkStacks(written, "--stage", "staging", ...options);
}

async function checkStacks(written: unknown, ...commandLine: string[]) {
  const text = typeof written === "string" ? written : JSON.stringify({ ...own, ...Object(written) });
  writeFileSync(join(cwd, "deploy/stages", "staging.json"), text);
  return runProgram("stage check", commandLine, { cwd, environment: aws.environment });
}

test("a file that agrees with the stage passes", async () => {
  const { code, stdout } = await check({}, deployedTable);
  assert.deepEqual(
    [code, stdout],
    [0, "deploy/stages/staging.json agrees with the deployed stage: account 123456789012, eu-west-1.\n"],
  );
});

test("a stage that is not deployed, or whose creation failed, passes only as a new one", async () => {
  for (const deployed of [undefined, {}]) {
    const missing = await check({}, deployed);
    assert.deepEqual(
      [missing.code, missing.stdout],
      [
        1,
        "The stage staging is not deployed in account 123456789012, eu-west-1. If this is its first deployment, add --new.\n",
      ],
    );
    const first = await check({}, deployed, "--new");
    assert.deepEqual(
      [first.code, first.stdout],
      [0, "The stage staging will be new in account 123456789012, eu-west-1.\n"],
    );
  }
});

test("another account or region than the file's is refused, whether the stage is there, missing or new", async () => {
  for (const elsewhere of ["eu-west-1:210987654321", "eu-central-1:123456789012"]) {
    place = elsewhere;
    const [region, account] = elsewhere.split(":");
    for (const [deployed, ...options] of [[deployedTable], [undefined], [undefined, "--new"]] as const) {
      const { code, stdout } = await check({}, deployed, ...options);
      assert.deepEqual(
        [code, stdout],
        [
          1,
          `The credentials and the region lead to account ${account}, ${region}, but deploy/stages/staging.json says 123456789012, eu-west-1.\n`,
        ],
      );
    }
  }
});

test("a new stage is refused in an account and region without the CDK's bootstrap", async () => {
  stacks = {};
  for (const options of [[], ["--new"]]) {
    const { code, stdout } = await checkStacks({}, "--stage", "staging", ...options);
    assert.equal(code, 1);
    assert.match(stdout, /^The CDK is not bootstrapped in the account and region of these credentials/);
  }
});

test("a command with --stage touches nothing in another account or region than the file's", async () => {
  stacks = { "ticketing-staging-data": { TableName: "ticketing-staging-data-Table", FeedQueueUrl: "https://sqs/q" } };
  writeFileSync(join(cwd, "deploy/stages", "staging.json"), JSON.stringify(own));
  for (const [program, ...commandLine] of [["summaries rebuild", "--all"], ["feed", "-"], ["dead-letters"]] as const) {
    aws.calls.length = 0;
    place = "eu-west-1:210987654321";
    const options = { cwd, environment: aws.environment };
    const { code, stderr } = await runProgram(program, [...commandLine, "--stage", "staging"], options);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /lead to account 210987654321, eu-west-1, but deploy\/stages\/staging\.json says .*Nothing was read or changed\.\n$/,
    );
    assert.deepEqual(aws.calls, ["DescribeStacks"]);
  }
});

test("a wrong stage, and a file that is missing, damaged or invalid, are reported in words", async () => {
  for (const [written, stage, expected] of [
    [{}, "production", /Must be dev, staging or prod/],
    [{}, "prod", /Cannot read the settings in deploy\/stages\/prod\.json: ENOENT/],
    ["{", "staging", /Cannot read the settings in deploy\/stages\/staging\.json: .*JSON/],
    [
      { alarmEmail: "a@example.org" },
      "staging",
      /deploy\/stages\/staging\.json, or .*\n.*Unrecognized key: "alarmEmail"/,
    ],
  ] as const) {
    const { code, stdout, stderr } = await checkStacks(written, "--stage", stage);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, expected);
  }
});
