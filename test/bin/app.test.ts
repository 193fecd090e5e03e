import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

const certificateArn = "arn:aws:acm:us-east-1:123456789012:certificate/0a1b";

/** Settings that are not valid, and what the error names. */
const mistakes: [Record<string, string>, RegExp][] = [
  [{ stage: "production" }, /Must be dev, staging or prod\.\n.* at stage/],
  [{ stag: "prod" }, /Unrecognized key: "stag"/],
  [{ webAcl: "no" }, / at webAcl/],
  [{ requestsPerMinutePerKey: "many" }, / at requestsPerMinutePerKey/],
  [{ stage: "" }, /Must be dev, staging or prod\.\n.* at stage/],
  [{ domainName: "not a name", certificateArn }, / at domainName/],
  [{ domainName: "api.example.com" }, /domainName and certificateArn go together/],
  [
    { domainName: "api.example.com", certificateArn: certificateArn.replace("us-east-1", "eu-west-1") },
    / at certificateArn/,
  ],
  [{ signInIssuer: "https://id.example.org" }, /signInIssuer and signInClientId go together/],
  [{ signInIssuer: "http://id.example.org", signInClientId: "page" }, /Must be an https URL\.\n.* at signInIssuer/],
  [{ signInOrigins: "id.example.org" }, / at signInOrigins/],
];

for (const [settings, expected] of mistakes) {
  test(`the settings ${JSON.stringify(settings)} are a clear error that names what is wrong`, () => {
    const env = { ...process.env, CDK_CONTEXT_JSON: JSON.stringify(settings) };
    const { status, stderr } = spawnSync(process.execPath, ["bin/app.ts"], { env, encoding: "utf8" });
    assert.equal(status, 1);
    assert.match(stderr, expected);
    assert.doesNotMatch(stderr, /Error:|node:internal/);
  });
}
