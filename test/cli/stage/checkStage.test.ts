import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, test } from "@jest/globals";
import { needed } from "../../../cli/stage/quotas.ts";
import { requestsInBurst, requestsPerSecond } from "../../../lib/api/restApi.ts";
import { Refusal, startFakeAws } from "../../support/aws/fakeAws.ts";
import { runProgram } from "../support/runProgram.ts";

const arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/ticketing-prod-20260301020000";
const stream = `${arn}/stream/2026-03-01T02:41:07.120`;
const another = stream.replace("20260301", "20260401");

const cwd = mkdtempSync(join(tmpdir(), "stages-"));
mkdirSync(join(cwd, "deploy/stages"), { recursive: true });
/** Where the credentials and the region lead, and the outputs of the stacks there by name. */
let place = "eu-west-1:123456789012";
let stacks: Record<string, Record<string, string>> = {};
/** What the account has. */
const plenty = {
  concurrency: 700,
  rate: 10_000,
  burst: 5_000,
  distributions: 199,
  policies: 17,
  certificate: "ISSUED",
};
let room = plenty;
const aws = await startFakeAws();
aws.answers = {
  DescribeStacks: ({ StackName }: { StackName: string }) => {
    const outputs = stacks[StackName];
    if (!outputs) return new Refusal("ValidationError", `Stack with id ${StackName} does not exist`);
    const Outputs = Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));
    return { Stacks: [{ StackId: `arn:aws:cloudformation:${place}:stack/${StackName}/1`, StackName, Outputs }] };
  },
  "/2016-08-19/account-settings": () => ({ AccountLimit: { ConcurrentExecutions: room.concurrency } }),
  "/account": () => ({ throttleSettings: { rateLimit: room.rate, burstLimit: room.burst } }),
  "/2020-05-31/distribution": () => ({ DistributionList: { Quantity: room.distributions } }),
  "/2020-05-31/response-headers-policy": () => ({ ResponseHeadersPolicyList: { Quantity: room.policies } }),
  ListServiceQuotas: { Quotas: [{ QuotaName: "Response headers policies per AWS account", Value: 20 }] },
  DescribeCertificate: () => ({ Certificate: { Status: room.certificate } }),
};
afterEach(() => {
  room = plenty;
  place = "eu-west-1:123456789012";
});
afterAll(async () => {
  await aws.close();
  rmSync(cwd, { recursive: true });
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

test("a file that agrees with the stage passes, with and without a restored table", async () => {
  for (const [restoredTableStream, deployed] of [
    [undefined, "none"],
    [null, "none"],
    [stream, stream],
  ]) {
    const { code, stdout } = await check({ restoredTableStream }, { RestoredTableStream: String(deployed) });
    assert.deepEqual(
      [code, stdout],
      [
        0,
        `deploy/stages/staging.json agrees with the deployed stage: account 123456789012, eu-west-1, restored table ${deployed}.\n`,
      ],
    );
  }
});

test("a file that lacks the stage's restored table fails, and names it", async () => {
  await check({}, { RestoredTableStream: stream });
  const options = { cwd, environment: aws.environment, asProcess: true };
  const { code, stdout } = await runProgram("stage check", ["--stage", "staging"], options);
  assert.equal(code, 1);
  assert.match(stdout, new RegExp(`restoredTableStream ${stream}, which the file lacks`));
});

test("a deliberate change passes only if requests keep their rights on the table in use", async () => {
  assert.equal((await check({ restoredTableStream: stream }, { RestoredTableStream: "none" })).code, 0);
  for (const restoredTableStream of [null, another]) {
    const { code, stdout } = await check({ restoredTableStream }, { RestoredTableStream: stream });
    assert.deepEqual([code, stdout.includes(`Set formerTableArn to it`)], [1, true]);
    for (const [formerTableArn, expected] of [
      [arn, 0],
      [`${arn}-earlier`, 1],
    ] as const)
      assert.equal(
        (await check({ restoredTableStream, formerTableArn }, { RestoredTableStream: stream })).code,
        expected,
        formerTableArn,
      );
  }
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
    assert.equal(first.code, 0);
    assert.match(first.stdout, /^The stage staging will be new in account 123456789012, eu-west-1\.\n/);
  }
});

const domain = {
  domainName: "tickets.example.org",
  certificateArn: "arn:aws:acm:us-east-1:123456789012:certificate/1",
};

test("a new stage passes only if the account has exactly the room that it needs, or more", async () => {
  room = { ...plenty, rate: 3_000, burst: 1_500 };
  const { code, stdout } = await check(domain, undefined, "--new");
  assert.deepEqual([code, stdout.match(/, of which a stage needs /g)?.length], [0, 6]);
  for (const [less, problem] of [
    [{ concurrency: 699 }, "Lambda functions at once: 699, of which a stage needs 700."],
    [{ rate: 2_999 }, "Requests a second through API Gateway: 2999, of which a stage needs 3000."],
    [{ burst: 1_499 }, "Requests in a burst through API Gateway: 1499, of which a stage needs 1500."],
    [{ distributions: 200 }, "CloudFront distributions left: 0, of which a stage needs 1."],
    [{ policies: 18 }, "CloudFront response headers policies left: 2, of which a stage needs 3."],
    [
      { certificate: "PENDING_VALIDATION" },
      "State of the certificate for tickets.example.org: PENDING_VALIDATION, of which a stage needs ISSUED.",
    ],
  ] as const) {
    room = { ...plenty, ...less };
    const { code, stdout } = await check(domain, undefined, "--new");
    assert.deepEqual([code, stdout], [1, `The account has too little room for the stage staging:\n${problem}\n`]);
  }
});

test("quotas are read only for a new stage in its own place, CloudFront's and the certificate's in us-east-1", async () => {
  aws.calls.length = 0;
  await check(domain, { RestoredTableStream: "none" });
  place = "eu-west-1:210987654321";
  await check(domain, undefined, "--new");
  assert.deepEqual(new Set(aws.calls), new Set(["DescribeStacks"]));
  aws.signers = {};
  place = "eu-west-1:123456789012";
  await check(domain, undefined, "--new");
  const { DescribeStacks: _ofStage, ...regions } = aws.signers;
  assert.deepEqual(regions, {
    "/2016-08-19/account-settings": ["id eu-west-1"],
    "/account": ["id eu-west-1"],
    "/2020-05-31/distribution": ["id us-east-1"],
    "/2020-05-31/response-headers-policy": ["id us-east-1"],
    ListServiceQuotas: ["id us-east-1"],
    DescribeCertificate: ["id us-east-1"],
  });
});

test("the numbers that a stage needs are its own, and those of the pages", () => {
  const { concurrency, ...others } = needed;
  assert.deepEqual(others, { requestsPerSecond, requestsInBurst, distributions: 1, policies: 3 });
  const page = readFileSync("docs/operators/ceilings.md", "utf8");
  assert.ok(page.includes(`a quota of at least ${concurrency};`));
});

test("another account or region than the file's is refused, whether the stage is there, missing or new", async () => {
  for (const elsewhere of ["eu-west-1:210987654321", "eu-central-1:123456789012"]) {
    place = elsewhere;
    const [region, account] = elsewhere.split(":");
    for (const [deployed, ...options] of [
      [{ RestoredTableStream: "none" }],
      [undefined],
      [undefined, "--new"],
    ] as const) {
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

test("an account and region without the CDK's bootstrap are no place for a new stage", async () => {
  stacks = {};
  for (const options of [[], ["--new"]]) {
    const { code, stdout } = await checkStacks({}, "--stage", "staging", ...options);
    assert.equal(code, 1);
    assert.match(stdout, /^The CDK is not bootstrapped where the credentials and the region lead/);
  }
});

test("a command with --stage touches nothing in another account or region than the file's", async () => {
  stacks = { "ticketing-staging-data": { TableName: "ticketing-staging-data-Table", FeedQueueUrl: "https://sqs/q" } };
  writeFileSync(join(cwd, "deploy/stages", "staging.json"), JSON.stringify(own));
  for (const [program, ...commandLine] of [
    ["summaries rebuild", "--all"],
    ["reindex"],
    ["feed", "-"],
    ["dead-letters"],
  ] as const) {
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
    ["[1]", "staging", /deploy\/stages\/staging\.json must be an object of settings without a stage/],
    [{ stage: "prod" }, "staging", /without a stage/],
    [
      { account: undefined },
      "staging",
      /account and region go together.*\n.*Required in staging and prod: the 12 digits/,
    ],
    [{ region: "Ireland" }, "staging", /Must be an AWS region, such as eu-west-1\.\n.* at region/],
    [
      { alarmEmail: "a@example.org" },
      "staging",
      /deploy\/stages\/staging\.json, or .*\n.*Unrecognized key: "alarmEmail"/,
    ],
    [{ restoredTableStream: stream, formerTableArn: arn }, "staging", /Must be another table.*\n.*formerTableArn/],
  ] as const) {
    const { code, stdout, stderr } = await checkStacks(written, "--stage", stage);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, expected);
  }
});
