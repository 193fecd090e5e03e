import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, test } from "@jest/globals";
import { Settings, Stage, settingsOf } from "../../lib/settings.ts";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";

const certificateArn = "arn:aws:acm:us-east-1:123456789012:certificate/0a1b";
const backupVaultArn = "arn:aws:backup:eu-west-1:123456789012:backup-vault:copies";

/** Required in staging and prod. */
const place = { account: "123456789012", region: "eu-west-1" };
/** Required in prod without a domain name. */
const oldTls = "accepted";

/** Invalid settings, and what the problem names. */
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
  [{ backupVaultArn: "arn:aws:backup:eu-west-1:1234:backup-vault:copies" }, / at backupVaultArn/],
  [{ backupVaultArn: `${backupVaultArn}/x` }, / at backupVaultArn/],
  [{ backupVaultArn: backupVaultArn.replace("backup-vault", "backup-plan") }, / at backupVaultArn/],
  [{ backupBucketName: "people" }, /Unrecognized key: "backupBucketName"/],
  [{ feedSenders: "*" }, / at feedSenders/],
  [{ feedSenders: "arn:aws:iam::111122223333:role/*" }, / at feedSenders/],
  [{ feedSenders: "111122223333 arn:aws:iam::*:role/a" }, / at feedSenders/],
  [{ tableStreamArn: "arn:aws:dynamodb:eu-west-1:123456789012:table/t" }, / at tableStreamArn/],
  [{ alarmEmails: "ada@example.org,grace@example.org" }, / at alarmEmails/],
  [{ monthlyBudget: "500" }, /Requires alarmEmails/],
  [{ supportContact: "http://example.org" }, /email address or an https URL.\n.* at supportContact/],
  [{ supportContact: "ask us" }, / at supportContact/],
  [{ originSecretVersion: "0" }, / at originSecretVersion/],
  [{ stage: "prod" }, /email addresses that receive alarms.*\n.* at alarmEmails/],
  [{ stage: "staging", alarmEmails: "" }, / at alarmEmails/],
  [{ stage: "prod" }, /the 12 digits of the stage's own AWS account\.\n.* at account/],
  [{ stage: "staging" }, /the stage's AWS region, such as eu-west-1\.\n.* at region/],
  [{ stage: "prod", ...place, alarmEmails: "a@example.org" }, /TLS 1\.0 .*set oldTls to accepted\.\n.* at domainName/],
  [{ oldTls: "on" }, /Must be accepted\.\n.* at oldTls/],
  [{ account: "1234", region: "eu-west-1" }, /Must be the 12 digits of an AWS account.*\n.* at account/],
  [{ ...place, region: "Ireland" }, /Must be an AWS region, such as eu-west-1\.\n.* at region/],
  [{ region: "eu-west-1" }, /account and region go together/],
  [{ baseUrl: "https://example.org" }, /Unrecognized key: "baseUrl"/],
];

const directory = temporaryDirectory();
beforeEach(() => {
  for (const stage of Stage.options) writeFileSync(join(directory, `${stage}.json`), "{}");
});

for (const [settings, expected] of mistakes) {
  test(`the settings ${JSON.stringify(settings)} are rejected by name`, () => {
    const { problem = "" } = settingsOf(settings, directory);
    assert.match(problem, expected);
    assert.doesNotMatch(problem, /Error:|node:internal/);
  });
}

test("the CDK's own context is ignored", () => {
  const { settings } = settingsOf({ "cli-telemetry": false, "aws:cdk:bundling-stacks": [], "@aws-cdk/core:x": true });
  assert.equal(settings?.stage, "dev");
});

test("the stages' files in this repository lack only what a platform team must choose", () => {
  for (const stage of Stage.options) {
    if (stage !== "dev") {
      const missing = settingsOf({ stage }).problem?.match(/ at \w+/g);
      const ofProd = stage === "prod" ? [" at domainName"] : [];
      assert.deepEqual(missing, [" at alarmEmails", " at account", " at region", ...ofProd]);
    }
    assert.equal(settingsOf({ stage, alarmEmails: "ops@example.org", ...place, oldTls }).problem, undefined);
    const own = { domainName: "tickets.example.org", certificateArn };
    assert.equal(settingsOf({ stage, alarmEmails: "ops@example.org", ...place, ...own }).problem, undefined);
  }
});

test("two stages cannot have one account, and a stage without one refuses another's credentials", () => {
  writeFileSync(join(directory, "prod.json"), JSON.stringify({ ...place, oldTls, alarmEmails: ["ops@example.org"] }));
  const shared =
    /^The account 123456789012 is that of the stage prod in .*prod\.json\. Deploy (staging|dev) into another/;
  assert.match(
    settingsOf({ stage: "staging", ...place, alarmEmails: "a@example.org" }, directory).problem ?? "",
    shared,
  );
  assert.match(settingsOf({ ...place, region: "us-east-1" }, directory).problem ?? "", shared);
  assert.equal(settingsOf({}, directory).problem, undefined);
  assert.equal(settingsOf({ stage: "prod" }, directory).problem, undefined);
  process.env.CDK_DEFAULT_ACCOUNT = place.account;
  try {
    assert.match(settingsOf({}, directory).problem ?? "", shared);
  } finally {
    delete process.env.CDK_DEFAULT_ACCOUNT;
  }
});

test("a file has lists and numbers, which the command line overrides with texts", () => {
  const lists = { alarmEmails: ["a@example.org", "b@example.org"], requestsPerMinutePerKey: 100, canary: "on" };
  const written = { ...place, oldTls, ...lists };
  writeFileSync(join(directory, "prod.json"), JSON.stringify(written));
  const { settings } = settingsOf({ stage: "prod" }, directory);
  assert.deepEqual(settings, Settings.parse({ stage: "prod", ...written }));
  const overridden = settingsOf(
    { stage: "prod", canary: "off", alarmEmails: "c@example.org d@example.org" },
    directory,
  );
  assert.deepEqual(overridden.settings, {
    ...settings,
    canary: "off",
    alarmEmails: ["c@example.org", "d@example.org"],
  });
});
