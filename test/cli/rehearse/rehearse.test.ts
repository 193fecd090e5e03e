import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, test } from "@jest/globals";
import { Refusal, startFakeAws } from "../../support/aws/fakeAws.ts";
import { runProgram } from "../support/runProgram.ts";

const cwd = mkdtempSync(join(tmpdir(), "rehearsals-"));
mkdirSync(join(cwd, "deploy/stages"), { recursive: true });
const own = { account: "123456789012", region: "eu-west-1", alarmEmails: ["ops@example.org"] };

let place = "";
/** The stacks of the account, with their tags. */
let stacks: Record<string, string[]> = {};
const aws = await startFakeAws();
const describe = (StackName: string) => ({
  StackId: `arn:aws:cloudformation:${place}:stack/${StackName}/1`,
  StackName,
  Tags: stacks[StackName]?.map((Key) => ({ Key, Value: "yes" })) ?? [],
  Outputs: [{ OutputKey: "BaseUrl", OutputValue: "https://stage.example.org" }],
});
aws.answers = {
  DescribeStacks: ({ StackName }: { StackName?: string }) => {
    if (StackName === undefined) return { Stacks: Object.keys(stacks).map(describe) };
    if (!(StackName in stacks)) return new Refusal("ValidationError", `Stack with id ${StackName} does not exist`);
    return { Stacks: [describe(StackName)] };
  },
};
let summary = "";
/** What CloudWatch and SNS, IAM and S3 answer. */
const ofQueries = () => ({ text: `<HistorySummary>${summary}</HistorySummary>ticketing-staging-data-Table` });
Object.assign(aws.answers, {
  UpdateTerminationProtection: {},
  "": ofQueries,
  "/restapis": {},
  ListTables: {},
  ListQueues: {},
});
Object.assign(aws.answers, {
  "/2015-03-31/functions": {},
  DescribeLogGroups: {},
  ListEventBuses: {},
  ListUserPools: {},
});
beforeEach(() => {
  aws.calls.length = 0;
  place = "eu-west-1:123456789012";
  stacks = { CDKToolkit: [] };
});
afterAll(async () => {
  await aws.close();
  rmSync(cwd, { recursive: true });
});

/** By default, no command can start, so that a rehearsal that is not refused fails in its first step. */
const noCommands = "";

/** Rehearses with commands from this directory. */
async function rehearse(commandLine: string[], settings: object = {}, path = noCommands) {
  writeFileSync(join(cwd, "deploy/stages", "dev.json"), "{}");
  writeFileSync(join(cwd, "deploy/stages", "prod.json"), JSON.stringify({ ...own, account: "555566667777" }));
  writeFileSync(join(cwd, "deploy/stages", "staging.json"), JSON.stringify({ ...own, ...settings }));
  const environment = { ...aws.environment, PATH: path };
  const options = { cwd, environment, asProcess: path !== noCommands };
  const { code, stdout, stderr } = await runProgram("rehearse", commandLine, options);
  return { code, stdout, stderr };
}
const staging = ["--stage", "staging"];

/** Asserts that nothing but CloudFormation was asked. */
async function assertRefused(commandLine: string[], message: RegExp, settings?: object) {
  const { code, stdout, stderr } = await rehearse(commandLine, settings);
  assert.deepEqual([code, stdout], [2, ""]);
  assert.match(stderr, message);
  assert.ok(aws.calls.every((call) => call === "DescribeStacks"));
}

test("a stage named prod, an unknown one, none, an unknown step and a receiver without TLS are refused", async () => {
  for (const stage of ["prod", "production", "ticketing-dev"])
    await assertRefused(["--stage", stage], /--stage must be dev or staging: prod is never rehearsed\./);
  await assertRefused([], /--stage must be dev or staging/);
  await assertRefused([...staging, "--from", "beginning"], /--from must be one of quotas, deploy, /);
  await assertRefused([...staging, "--receiver", "http://example.org"], /--receiver must be an https URL/);
  assert.deepEqual(aws.calls, []);
});

test("another account or region than the settings', one without a bootstrap, and one with prod are refused", async () => {
  for (const elsewhere of ["eu-west-1:210987654321", "eu-central-1:123456789012"]) {
    place = elsewhere;
    await assertRefused(
      staging,
      /lead to account \d+, \S+, but deploy\/stages\/staging\.json says 123456789012, eu-west-1\. Nothing/,
    );
  }
  place = "eu-central-1:555566667777";
  await assertRefused(
    ["--stage", "dev"],
    /The account 555566667777 is that of the stage prod .* Nothing was changed\./,
  );
  place = "eu-west-1:123456789012";
  for (const name of ["ticketing-prod", "ticketing-prod-data"]) {
    stacks = { CDKToolkit: [], [name]: [] };
    await assertRefused(staging, /Account 123456789012, eu-west-1, has the stage prod\. Rehearse in another account\./);
    await assertRefused([...staging, "--from", "destroy"], /has the stage prod/);
  }
  stacks = {};
  await assertRefused(staging, /The CDK is not bootstrapped/);
});

test("settings that reach beyond the stage are refused", async () => {
  const vault = "arn:aws:backup:eu-central-1:444455556666:backup-vault:copies";
  for (const settings of [{ monthlyBudget: 100 }, { backupVaultArn: vault }])
    await assertRefused(
      staging,
      new RegExp(`cannot use the setting ${Object.keys(settings)[0]} in deploy/stages/staging`),
      settings,
    );
});

test("a stage that no rehearsal has made is never touched, also with --from", async () => {
  for (const name of ["ticketing-staging", "ticketing-staging-data"]) {
    stacks = { CDKToolkit: [], [name]: [] };
    for (const from of [[], ["--from", "deploy"], ["--from", "organisation"], ["--from", "destroy"]])
      await assertRefused(
        [...staging, ...from],
        /has a stage staging that no rehearsal has made\. Nothing was changed\./,
      );
  }
});

test("a rehearsal that has not ended goes on only with --from, and only if its stage is there", async () => {
  await assertRefused([...staging, "--from", "organisation"], /has no stage staging\. Leave out --from organisation\./);
  stacks = { CDKToolkit: [], "ticketing-staging-data": ["ticketing-rehearsal"] };
  await assertRefused(staging, /The rehearsal of the stage staging has not ended\. Add --from STEP\./);
  const { code, stdout } = await rehearse([...staging, "--from", "destroy"]);
  assert.equal(code, 1);
  assert.match(stdout, /^\ndestroy\n/);
});

test("a step that fails ends the rehearsal, which says how to go on and how to remove the stage", async () => {
  const { code, stdout } = await rehearse(staging);
  assert.equal(code, 1);
  assert.match(stdout, /^\nquotas\n {2}spawn npm ENOENT\nquotas +FAILED +0\.0 +0\.00\n/);
  assert.match(
    stdout,
    /\nGo on with: npm run ops -- rehearse --stage staging --from quotas\nOr remove the stage, .* --from destroy\n$/,
  );
  assert.doesNotMatch(stdout, /\ndeploy\n/);
});

/** A directory with `npm` and `npx`, which record what they are called with, and then do this. */
function commands(then = "") {
  const directory = mkdtempSync(join(cwd, "commands-"));
  const log = join(directory, "log");
  writeFileSync(log, "");
  for (const name of ["npm", "npx"])
    writeFileSync(join(directory, name), `#!/bin/sh\necho ${name} "$@" >>${log}\n${then}\n`, { mode: 0o700 });
  return { path: `${directory}:/usr/bin:/bin`, called: () => readFileSync(log, "utf8").trim().split("\n") };
}
const made = {
  CDKToolkit: [],
  "ticketing-staging": ["ticketing-rehearsal"],
  "ticketing-staging-data": ["ticketing-rehearsal"],
};

test("the stage is deployed, checked and filled by the documented commands, with the tag of rehearsals", async () => {
  stacks = made;
  const { path, called } = commands();
  const { code, stdout } = await rehearse([...staging, "--from", "quotas"], {}, path);
  assert.equal(code, 1);
  assert.match(stdout, /\nsmoke +passed [\s\S]*\njourneys +FAILED /);
  assert.deepEqual(called(), [
    "npm run --silent ops -- stage check --new --stage staging",
    "npx cdk deploy --all -c stage=staging -c webAcl=off -c canary=off -c signInMfa=optional --require-approval never --tags ticketing-rehearsal=yes",
    "npm run --silent ops -- reindex --stage staging",
    "npm run --silent ops -- smoke --new --stage staging",
    "npm run --silent ops -- import local/demo/records.ndjson --stage staging",
    "npm run --silent ops -- summaries rebuild --all --stage staging",
  ]);
});

test("a stage is removed after its protection is off, and what is left is listed", async () => {
  stacks = made;
  const { path, called } = commands();
  const { code, stdout } = await rehearse([...staging, "--from", "destroy"], {}, path);
  assert.equal(code, 0, stdout);
  assert.deepEqual(called(), ["npx cdk destroy --all -c stage=staging --force"]);
  assert.ok(aws.calls.includes("UpdateTerminationProtection"));
  assert.match(stdout, /\nleftovers\n {2}S3 buckets: ticketing-staging-data-Table\n/);
});

test("an invented alarm passes only if CloudWatch could send it", async () => {
  stacks = made;
  for (const [said, result] of [
    ["Successfully executed action arn:aws:sns:eu-west-1:1:topic", "passed"],
    ["Failed to execute action arn:aws:sns:eu-west-1:1:topic", "FAILED"],
  ] as const) {
    summary = said;
    const { stdout } = await rehearse([...staging, "--from", "alarm"]);
    assert.match(stdout, new RegExp(`\nalarm +${result} `));
  }
});

test("Ctrl-C ends the step's command, and the rehearsal says where to go on", async () => {
  const { path } = commands("kill -INT $PPID; exec sleep 600");
  const { code, stdout, stderr } = await rehearse(staging, {}, path);
  assert.equal(code, 130);
  assert.match(stdout, /\nquotas +FAILED [\s\S]*\nGo on with: npm run ops -- rehearse --stage staging --from quotas\n/);
  assert.match(stderr, /^Interrupted\. /);
});
