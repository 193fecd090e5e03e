import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "@jest/globals";
import { denied, type FakeAws, Refusal, startFakeAws } from "../../support/aws/fakeAws.ts";
import { runInProcess } from "../support/runInProcess.ts";

let aws: FakeAws;
let directory: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "ticketing-deploy-"));
  aws = await startFakeAws();
  aws.answers = {
    GetCallerIdentity: { Account: "111122223333", Arn: "arn:aws:iam::111122223333:user/ada" },
    AssumeRole: ({ RoleArn }: { RoleArn: string }) => ({
      Credentials: {
        AccessKeyId: RoleArn.split("-")[2],
        SecretAccessKey: "s",
        SessionToken: "t",
        Expiration: "2100-01-01T00:00:00Z",
      },
    }),
    UpdateTerminationProtection: {},
  };
  stacksAre({});
});
afterEach(async () => {
  await aws.close();
  rmSync(directory, { recursive: true });
});

function stacksAre(stacks: Record<string, { status: string; isProtected: boolean }>): void {
  aws.answers.DescribeStacks = ({ StackName }: { StackName: string }) => {
    const stack = stacks[StackName];
    if (!stack) return new Refusal("ValidationError", `Stack with id ${StackName} does not exist`);
    const { status: StackStatus, isProtected: EnableTerminationProtection } = stack;
    return { Stacks: [{ StackName, StackStatus, EnableTerminationProtection }] };
  };
}

/** Runs the command with a CDK that only records its arguments and ends with an exit code. */
async function deploy(args: string[], { exitCode = 0, environment = {} as NodeJS.ProcessEnv } = {}) {
  const [cdk, called] = [join(directory, "cdk"), join(directory, "called")];
  writeFileSync(cdk, `#!/bin/sh\nprintf '%s\\n' "$@" > ${called}\nexit ${exitCode}\n`);
  chmodSync(cdk, 0o755);
  const result = await runInProcess("deploy/deploy", args, {
    environment: { ...aws.environment, PATH: `${directory}:${process.env.PATH}`, ...environment },
  });
  return { ...result, cdk: existsSync(called) ? readFileSync(called, "utf8").split("\n").slice(0, -1) : undefined };
}

const lifts = () => aws.calls.filter((action) => action === "UpdateTerminationProtection").length;

test.each(["ROLLBACK_COMPLETE", "ROLLBACK_FAILED"])("a protected stack in %s can be created again", async (status) => {
  stacksAre({ "ticketing-prod-data": { status, isProtected: true } });
  const unprotected: unknown[] = [];
  aws.answers.UpdateTerminationProtection = ({ StackName, EnableTerminationProtection }: Record<string, string>) => {
    unprotected.push([StackName, EnableTerminationProtection]);
    return {};
  };
  const { code, stdout, stderr, cdk } = await deploy(["-c", "stage=prod"]);
  assert.deepEqual([code, stderr], [0, ""]);
  assert.deepEqual(unprotected, [["ticketing-prod-data", "false"]]);
  assert.match(
    stdout,
    /^The creation of ticketing-prod-data failed \(ROLLBACK_\w+\); turned off its termination protec/,
  );
  assert.deepEqual(cdk, ["deploy", "--all", "-c", "stage=prod"]);
});

test.each(["CREATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE", "UPDATE_ROLLBACK_FAILED", "REVIEW_IN_PROGRESS"])(
  "a stack in %s keeps its protection",
  async (status) => {
    stacksAre({
      "ticketing-prod-data": { status, isProtected: true },
      "ticketing-prod": { status, isProtected: true },
    });
    const { code, stdout } = await deploy(["-c", "stage=prod"]);
    assert.deepEqual([code, stdout, lifts()], [0, "", 0]);
  },
);

test("without stacks, in another stage, or without protection, nothing is changed", async () => {
  assert.equal((await deploy(["-c", "stage=prod"])).code, 0);
  stacksAre({
    "ticketing-prod-data": { status: "ROLLBACK_COMPLETE", isProtected: true },
    "ticketing-dev-data": { status: "ROLLBACK_COMPLETE", isProtected: false },
  });
  assert.equal((await deploy([])).code, 0);
  assert.equal((await deploy(["--context", "stage=staging"])).code, 0);
  assert.equal((await deploy(["--context=stage=dev"])).code, 0);
  assert.equal(lifts(), 0);
});

test("the CDK gets all arguments, and its exit code is the command's", async () => {
  const args = ["--require-approval", "never", "-c", "stage=staging", "-c", "alarmEmails=a@example.org b@example.org"];
  const { code, cdk } = await deploy(args, { exitCode: 7 });
  assert.equal(code, 7);
  assert.deepEqual(cdk, ["deploy", "--all", ...args]);
});

test("acts with the bootstrap's deployment role, or with the caller's rights if they may not assume it", async () => {
  assert.equal((await deploy(["-c", "stage=prod"])).code, 0);
  assert.deepEqual(new Set(aws.signers.DescribeStacks), new Set(["deploy eu-west-1"]));
  const roles: string[] = [];
  aws.answers.AssumeRole = ({ RoleArn }: { RoleArn: string }) => {
    roles.push(RoleArn);
    return denied;
  };
  assert.equal((await deploy(["-c", "stage=prod"])).code, 0);
  assert.deepEqual(roles, ["arn:aws:iam::111122223333:role/cdk-hnb659fds-deploy-role-111122223333-eu-west-1"]);
  assert.equal(aws.signers.DescribeStacks?.at(-1), "id eu-west-1");
});

test("what prevents the look at the stacks is one line, and nothing is deployed", async () => {
  const home = { HOME: directory, AWS_EC2_METADATA_DISABLED: "true" };
  const noCredentials = { ...home, AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined };
  const without = await deploy(["-c", "stage=prod"], { environment: noCredentials });
  assert.equal(without.code, 2);
  assert.match(without.stderr, /^Found no AWS credentials; set AWS_PROFILE, for example\. .*\n$/);
  const nowhere = { ...home, AWS_REGION: undefined, AWS_DEFAULT_REGION: undefined };
  assert.equal((await deploy([], { environment: nowhere })).stderr, "Found no AWS region; set AWS_REGION.\n");
  assert.match((await deploy(["-c", "stage=production"])).stderr, /Must be dev, staging or prod/);
  aws.answers.DescribeStacks = denied;
  const refused = await deploy(["-c", "stage=prod"]);
  assert.match(refused.stderr, /^AWS rejected the request: AccessDenied: Not authorized to perform this\.\n$/);
  assert.deepEqual([without.cdk, refused.cdk], [undefined, undefined]);
});

test("without a CDK, the message says how to start the command", async () => {
  const { code, stderr } = await deploy([], { environment: { PATH: "/nowhere" } });
  assert.deepEqual([code, stderr], [2, "Found no CDK; run npm ci, and start this command with npm run deploy.\n"]);
});

test("--help prints the usage", async () => {
  const { code, stdout, cdk } = await deploy(["--help"]);
  assert.deepEqual([code, cdk], [0, undefined]);
  assert.match(stdout, /^npm run deploy -- /);
});
