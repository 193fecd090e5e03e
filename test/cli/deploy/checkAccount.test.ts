import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "@jest/globals";
import { denied, type FakeAws, Refusal, startFakeAws } from "../../support/aws/fakeAws.ts";
import { runInProcess } from "../support/runInProcess.ts";

let aws: FakeAws;
beforeEach(async () => {
  aws = await startFakeAws();
  aws.answers = readyAccount();
});
afterEach(() => aws.close());

const distributions = "/2020-05-31/distribution";
const headerPolicies = "/2020-05-31/response-headers-policy";
const lambda = "/2016-08-19/account-settings";
const quotas: Record<string, number> = {
  "L-24B04930": 500,
  "L-CF0D4FC5": 20,
  "L-8A5B8E43": 10_000,
  "L-CDF5615A": 5_000,
};

function readyAccount() {
  return {
    GetCallerIdentity: { Account: "111122223333", Arn: "arn:aws:iam::111122223333:user/ada" },
    AssumeRole: denied,
    GetParameter: { Parameter: { Value: "21" } },
    [lambda]: { AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 900 } },
    [distributions]: { DistributionList: { Quantity: 2 } },
    [headerPolicies]: { ResponseHeadersPolicyList: { Quantity: 6 } },
    GetServiceQuota: ({ QuotaCode }: { QuotaCode: string }) => ({ Quota: { Value: quotas[QuotaCode] } }),
    DescribeCertificate: {
      Certificate: { Status: "ISSUED", SubjectAlternativeNames: ["*.example.org", "example.org"] },
    },
    DescribeStacks: new Refusal("ValidationError", "Stack with id ticketing-prod does not exist"),
  };
}

const certificateArn = "arn:aws:acm:us-east-1:111122223333:certificate/1";

async function check({ domainName = "api.example.org", stage = "prod" } = {}) {
  const settings = [`stage=${stage}`, `domainName=${domainName}`, `certificateArn=${certificateArn}`];
  const { code, stdout, stderr } = await runInProcess(
    "deploy/checkAccount",
    settings.flatMap((setting) => ["-c", setting]),
    { environment: aws.environment },
  );
  assert.equal(stderr, "");
  const lines = stdout.split("\n").slice(0, -1);
  return { code, lines, failures: lines.filter((line) => !line.startsWith("ok    ")) };
}

test("an account that is ready passes every check, in one line each", async () => {
  const { code, lines } = await check();
  assert.equal(code, 0, lines.join("\n"));
  assert.deepEqual(lines, [
    "ok    Credentials: account 111122223333, region eu-west-1, reading as arn:aws:iam::111122223333:user/ada.",
    "ok    Bootstrap: version 21.",
    "ok    Lambda: 1000 functions at once, 900 of them not reserved.",
    "ok    CloudFront distributions: 2, so the account may create them.",
    "ok    CloudFront response headers policies: 6 of 20.",
    "ok    Certificate: issued for api.example.org.",
    "ok    API Gateway requests a second: 10000 for the account, 1000 for the stage.",
    "ok    API Gateway burst: 5000 for the account, 500 for the stage.",
    "ok    Earlier deployment: no creation has failed.",
  ]);
});

describe("an account that is not ready fails with what to do:", () => {
  const quotaOf = (code: string, Value: number) => ({
    GetServiceQuota: ({ QuotaCode }: { QuotaCode: string }) => ({
      Quota: { Value: QuotaCode === code ? Value : quotas[QuotaCode] },
    }),
  });
  const certificate = (Certificate: object) => ({ DescribeCertificate: { Certificate } });
  const concurrency = (limit: number) => ({ [lambda]: { AccountLimit: { ConcurrentExecutions: limit } } });

  test.each([
    [
      "no bootstrap",
      { GetParameter: new Refusal("ParameterNotFound", "") },
      /^FAIL {2}Bootstrap: The account is not bootstrapped in eu-west-1\. Run npx cdk bootstrap aws:\/\/111122223333\/eu-west-1\.$/,
    ],
    [
      "an old bootstrap",
      { GetParameter: { Parameter: { Value: "5" } } },
      /^FAIL {2}Bootstrap: Version 5 is too old; 6 /,
    ],
    [
      "a new account's concurrency",
      concurrency(10),
      /^FAIL {2}Lambda: .* 10 functions at once.*500 are required\. Request/,
    ],
    ["concurrency one below the limit", concurrency(499), /^FAIL {2}Lambda/],
    [
      "no room for a distribution",
      quotaOf("L-24B04930", 2),
      /^FAIL {2}CloudFront distributions: The account has 2 of 2/,
    ],
    [
      "no room for header policies",
      quotaOf("L-CF0D4FC5", 8),
      /^FAIL {2}CloudFront response headers policies: .*6 of 8/,
    ],
    ["low throttling", quotaOf("L-8A5B8E43", 999), /^FAIL {2}API Gateway requests a second: The account has 999/],
    ["a low burst", quotaOf("L-CDF5615A", 499), /^FAIL {2}API Gateway burst: The account has 499/],
    [
      "a certificate that waits for validation",
      certificate({ Status: "PENDING_VALIDATION", SubjectAlternativeNames: ["api.example.org"] }),
      /^FAIL {2}Certificate: Its status is PENDING_VALIDATION\. Complete/,
    ],
    [
      "a certificate for another name",
      certificate({ Status: "ISSUED", SubjectAlternativeNames: ["example.org", "*.api.example.org"] }),
      /^FAIL {2}Certificate: It covers example\.org, \*\.api\.example\.org, but not api\.example\.org/,
    ],
  ])("%s", async (_, answers, expected) => {
    aws.answers = { ...aws.answers, ...answers };
    const { code, failures } = await check();
    assert.deepEqual([code, failures.length], [1, 1]);
    assert.match(failures[0] ?? "", expected);
  });
});

test("a wildcard certificate does not cover two labels", async () => {
  assert.match((await check({ domainName: "a.b.example.org" })).failures.join(), /but not a\.b\.example\.org/);
});

test.each([
  "GetParameter",
  lambda,
  distributions,
  headerPolicies,
  "GetServiceQuota",
  "DescribeCertificate",
  "DescribeStacks",
])("without the right to %s, its checks fail and the others run", async (action) => {
  aws.answers[action] = denied;
  const { code, lines, failures } = await check();
  assert.deepEqual([code, lines.length], [1, 9]);
  assert.ok(failures.length > 0);
  for (const failure of failures) assert.match(failure, /^FAIL .*: AccessDenied: Not authorized to perform this\.$/);
});

test("an account without a distribution passes with a note that AWS may refuse the first", async () => {
  aws.answers[distributions] = { DistributionList: { Quantity: 0 } };
  const { code, lines } = await check();
  assert.equal(code, 0);
  assert.match(lines.join("\n"), /CloudFront distributions: none yet\. AWS may refuse the first one until Support/);
});

test("reads as the bootstrap's lookup role, and what is global in us-east-1", async () => {
  const role = "arn:aws:iam::111122223333:role/cdk-hnb659fds-lookup-role-111122223333-eu-west-1";
  aws.answers.AssumeRole = ({ RoleArn }: { RoleArn: string }) => ({
    Credentials: { AccessKeyId: RoleArn === role ? "lookup" : "other", SecretAccessKey: "s", SessionToken: "t" },
  });
  const { lines } = await check();
  assert.equal(lines[0], `ok    Credentials: account 111122223333, region eu-west-1, reading as ${role}.`);
  const expected = {
    GetParameter: "lookup eu-west-1",
    DescribeCertificate: "lookup us-east-1",
    AssumeRole: "id eu-west-1",
  };
  for (const [action, signer] of Object.entries(expected)) assert.deepEqual(aws.signers[action], [signer]);
  const [inUsEast1, here] = ["lookup us-east-1", "lookup eu-west-1"];
  assert.deepEqual(aws.signers.GetServiceQuota, [inUsEast1, inUsEast1, here, here]);
});

test("a quota that the account has never changed is AWS's default", async () => {
  const { GetServiceQuota } = aws.answers;
  Object.assign(aws.answers, {
    GetServiceQuota: new Refusal("NoSuchResourceException", ""),
    GetAWSDefaultServiceQuota: GetServiceQuota,
  });
  assert.equal((await check()).code, 0);
});

test("a failed first creation is reported", async () => {
  aws.answers.DescribeStacks = ({ StackName }: { StackName: string }) => ({
    Stacks: [{ StackName, StackStatus: StackName.endsWith("-data") ? "ROLLBACK_COMPLETE" : "CREATE_COMPLETE" }],
  });
  const { code, lines } = await check();
  assert.equal(code, 0);
  assert.match(
    lines.at(-1) ?? "",
    /^ok {4}Earlier deployment: the creation of ticketing-prod-data \(ROLLBACK_COMPLETE\) failed/,
  );
});

test("dev needs no reserved concurrency", async () => {
  aws.answers[lambda] = denied;
  assert.equal((await check({ stage: "dev" })).code, 0);
});
