import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "@jest/globals";
import { damagedItems } from "../../../functions/log/measurements.ts";
import { tableDefinition } from "../../../functions/table/definition.ts";
import { operationsWithEvents } from "../../../lib/observability/observedMetrics.ts";
import { Settings } from "../../../lib/settings.ts";
import {
  type Answered,
  alarmsOf,
  awsMetrics,
  minutesOf,
  type Numbers,
  periodMinutes,
  stateOf,
  watchedIds,
} from "../support/metrics.ts";
import { idIn, type Json, only, resourcesOf, synthesise } from "../support/synthesise.ts";

const { template, findings } = await synthesise({
  stage: "prod",
  alarmEmails: "ada@example.org grace@example.org",
  backupVaultArn: "arn:aws:backup:eu-central-1:444455556666:backup-vault:ticketing-copies",
});
const ids = watchedIds(template);
const aws = awsMetrics(template);
const alarms = alarmsOf(template);
const [topicId = ""] = resourcesOf(template, "AWS::SNS::Topic")[0] ?? [];

const requests = (count: number, answered: Answered) => Array<Numbers[]>(count).fill(aws.request(answered)).flat();

/** Tests of webhooks whose receivers do not answer. */
const slowTests = (count: number) =>
  requests(count, { status: 200, latencyMs: 10_050, route: "/admin/webhooks/{id}/test" });

const indexes = tableDefinition.indexes.map(({ indexName }) => ({ GlobalSecondaryIndexName: indexName }));
const actions = ["GetItem", "Query", "PutItem", "UpdateItem", "BatchGetItem", "BatchWriteItem", "TransactWriteItems"];

/** For each alarm, the ways in which a minute can be bad. A bad minute also has good requests. */
const troubles: Record<string, Numbers[][]> = {
  "server-errors": [[...requests(97, { status: 200 }), ...requests(3, { status: 503 })]],
  "function-failures": [
    [...requests(600, { status: 200 }), ...requests(1, { status: 500 })],
    requests(1, { status: 503, errorType: "INTEGRATION_FAILURE" }),
    requests(1, { status: 503, errorType: "INTEGRATION_TIMEOUT" }),
  ],
  latency: [
    [...requests(98, { status: 200 }), ...requests(2, { status: 200, latencyMs: 2_500 })],
    [...slowTests(5), ...requests(80, { status: 200 }), ...requests(20, { status: 200, latencyMs: 2_500 })],
  ],
  "unauthorized-surge": [
    [...requests(240, { status: 200 }), ...requests(60, { status: 401, errorType: "ACCESS_DENIED" })],
    requests(50, { status: 401, errorType: "UNAUTHORIZED" }),
  ],
  "throttled-requests": [[...requests(300, { status: 200 }), ...requests(1, { status: 429, errorType: "THROTTLED" })]],
  "blocked-requests": [aws.webAcl({ BlockedRequests: 501 })],
  "authorizer-errors": ids.authorizers.map((id) => aws.lambda(id, { Invocations: 10, Errors: 1 })),
  "lost-keys": [
    [...aws.lambda(ids.authorizers[0] ?? "", { Invocations: 600 }), ...aws.own("apiKeyAuthorizer", { lost_keys: 60 })],
  ],
  "function-throttles": [
    requests(1, { status: 500, integrationStatus: 429 }),
    requests(1, { status: 500, authorizerStatus: 429 }),
  ],
  probe: [aws.probe({ SuccessPercent: 0 }), []],
  "certificate-expiry": [aws.probe({ SuccessPercent: 100, CertificateDays: 29.9 })],
  "feed-age": [aws.queue(ids.feed, { ApproximateAgeOfOldestMessage: 901 }), aws.own("feed", { waited: 901 })],
  "import-age": [aws.queue(ids.imports, { ApproximateAgeOfOldestMessage: 3_601 })],
  "summaries-stopped": [aws.table({}, { ConsumedWriteCapacityUnits: 1 })],
  "outgoing-events-stopped": operationsWithEvents.map((operation) => aws.own(operation, { changes: 1 })),
  "summaries-age": [aws.lambda(ids.summaries, { IteratorAge: 300_001 })],
  "outgoing-events-failures": [
    "ExecutionFailed",
    "ExecutionPartiallyFailed",
    "ExecutionThrottled",
    "ExecutionTimeout",
  ].map((name) => aws.pipe({ Invocations: 9, [name]: 1 })),
  "webhooks-failures": [aws.own("webhooks", { webhook_errors: 1 })],
  "webhooks-late": [[], [301, 0, 0].flatMap((seconds) => aws.own("webhooks", { webhook_late_seconds: seconds }))],
  "webhooks-waiting": [aws.queue(ids.wakeUps, { ApproximateAgeOfOldestMessage: 301 })],
  "webhooks-key": [aws.own("webhooks", { webhook_key_failures: 1 })],
  "table-throttles": [
    ...["ReadThrottleEvents", "WriteThrottleEvents"].map((name) => aws.table({}, { [name]: 101 })),
    ...indexes.map((index) => aws.table(index, { ReadThrottleEvents: 101 })),
  ],
  "index-throttles": indexes.map((index) => aws.table(index, { WriteThrottleEvents: 101 })),
  "damaged-items": [aws.own(damagedItems, { damaged_items: 1 })],
  "table-errors": actions.map((Operation) => aws.table({ Operation }, { SystemErrors: 1 })),
  ...Object.fromEntries(
    Object.entries(ids.deadLetters).map(([section, id]) => [
      section,
      [aws.queue(id, { ApproximateNumberOfMessagesVisible: 1 })],
    ]),
  ),
};

/** An ordinary minute, with the few failures of every day. */
const ordinary: Numbers[] = [
  ...requests(590, { status: 200, latencyMs: 60 }),
  ...requests(4, { status: 200, latencyMs: 1_400 }),
  ...requests(5, { status: 401, errorType: "ACCESS_DENIED" }),
  ...requests(1, { status: 503 }),
  ...ids.authorizers.flatMap((id) => aws.lambda(id, { Invocations: 300, Errors: 0, Throttles: 0 })),
  // Of another service in the account.
  ...aws.lambda("another", { Invocations: 900, Errors: 30, Throttles: 40 }),
  ...aws.own("apiKeyAuthorizer", { lost_keys: 2 }),
  ...aws.queue(ids.feed, { ApproximateAgeOfOldestMessage: 40, ApproximateNumberOfMessagesVisible: 12 }),
  ...Object.values(ids.deadLetters).flatMap((id) => aws.queue(id, { ApproximateNumberOfMessagesVisible: 0 })),
  ...aws.queue(ids.imports, { ApproximateAgeOfOldestMessage: 2_700 }),
  ...aws.lambda(ids.summaries, { IteratorAge: 2_100 }),
  ...aws.mapping(ids.summariesMapping, { PolledEventCount: 30 }),
  ...operationsWithEvents.flatMap((operation) => aws.own(operation, { changes: 2 })),
  ...aws.lambda(ids.outgoingEvents, { Invocations: 3 }),
  ...aws.pipe({ Invocations: 4, ExecutionFailed: 0, ExecutionThrottled: 0, ExecutionTimeout: 0 }),
  ...aws.table({}, { WriteThrottleEvents: 7, ConsumedWriteCapacityUnits: 50 }),
  ...aws.probe({ SuccessPercent: 100 }),
  ...aws.own("webhooks", { webhook_late_seconds: 59, webhook_key_failures: 0 }),
  ...aws.queue(ids.wakeUps, { ApproximateAgeOfOldestMessage: 70 }),
  ...aws.webAcl({ AllowedRequests: 600, BlockedRequests: 30 }),
];

const calmWithoutRequests: Numbers[] = [
  ...aws.mapping(ids.summariesMapping, { PolledEventCount: 0 }),
  ...aws.probe({ SuccessPercent: 100 }),
  ...aws.own("webhooks", { webhook_late_seconds: 0, webhook_key_failures: 0 }),
];

/** A minute of a night without clients. */
const quiet: Numbers[] = [...requests(3, { status: 200, latencyMs: 4_000 }), ...calmWithoutRequests];

/** An alarm's state after ten of its periods, of which the given ones were bad and the others calm. */
function stateAfter(alarm: Json, bad: number[], trouble: Numbers[], calm: Numbers[]) {
  const length = periodMinutes(alarm);
  const minutes = Array.from({ length: 10 * length }, (_, minute) => minute);
  const isBad = (minute: number) => bad.includes(Math.floor(minute / length));
  const others = minutes.filter((minute) => !isBad(minute));
  const samples = [...minutesOf(minutes.filter(isBad), trouble), ...minutesOf(others, calm)];
  return stateOf(template, alarm, samples, minutes.length - 1);
}

/** Bad periods among the last of ten: just enough to raise an alarm, and one too few. */
const enough = ({ EvaluationPeriods, DatapointsToAlarm }: Json) =>
  EvaluationPeriods === 1 ? [9] : [5, 7, 9].slice(-DatapointsToAlarm);
const tooFew = (alarm: Json) => (alarm.EvaluationPeriods === 1 ? [8] : enough(alarm).slice(1));

const runbook = ["docs/operators/runbook.md", "docs/operators/runbook-data.md"];

test.each([1, 20, 100])("%d tests of webhooks a minute with silent receivers raise no alarm", (count) => {
  const tested = [...slowTests(count), ...requests(19, { status: 200 }), ...calmWithoutRequests];
  for (const [section, alarm] of alarms) assert.equal(stateAfter(alarm, [], [], tested), "OK", section);
});

describe("every alarm", () => {
  test("has its troubles listed here", () => {
    assert.deepEqual([...alarms.keys()].sort(), Object.keys(troubles).sort());
  });

  for (const [section, alarm] of alarms) {
    test(`${section}: is raised by each of its troubles, and not by fewer bad minutes`, () => {
      for (const trouble of troubles[section] ?? []) {
        const description = JSON.stringify(trouble[0]);
        for (const calm of [ordinary, quiet]) {
          assert.equal(stateAfter(alarm, enough(alarm), trouble, calm), "ALARM", description);
          assert.equal(stateAfter(alarm, tooFew(alarm), trouble, calm), "OK", description);
        }
      }
    });

    test(`${section}: stays quiet in ordinary minutes, at night, and without any data unless something runs every minute`, () => {
      assert.equal(stateAfter(alarm, [], [], ordinary), "OK");
      assert.equal(stateAfter(alarm, [], [], quiet), "OK");
      assert.equal(stateAfter(alarm, [], [], []), ["probe", "webhooks-late"].includes(section) ? "ALARM" : "OK");
    });

    test(`${section}: notifies the topic when it is raised and when it is over`, () => {
      assert.deepEqual(alarm.AlarmActions, [{ Ref: topicId }]);
      assert.deepEqual(alarm.OKActions, [{ Ref: topicId }]);
      assert.equal(alarm.ActionsEnabled ?? true, true);
      assert.equal(alarm.AlarmName, `ticketing-prod-${section}`);
    });
  }

  test("has its section in the runbook, and every section its alarm", () => {
    const links = [...alarms.values()].map(({ AlarmDescription }) => / (\S+\.md#\S+) says/.exec(AlarmDescription)?.[1]);
    const sections = runbook.flatMap((page) =>
      [...readFileSync(page, "utf8").matchAll(/^### (.+)$/gm)].map(
        ([, heading = ""]) => `${page}#${heading.toLowerCase().replaceAll(" ", "-")}`,
      ),
    );
    assert.deepEqual(links.toSorted(), sections.toSorted());
  });

  test("has its severity, who decides, and what customers hear, in the runbook", () => {
    const texts = runbook.flatMap((page) => readFileSync(page, "utf8").split(/^#{2,3} .+$/m));
    const ofAlarms = texts.filter((text) => text.includes("**Meaning**"));
    assert.equal(ofAlarms.length, alarms.size);
    for (const text of ofAlarms)
      assert.match(text, /^\n\n\*\*Severity\*\*: [123]\b.*\*\*Decides\*\*: .+\*\*Customers\*\*: .+\n\n\*\*Meaning/);
  });
});

test("a stage without a web ACL and without backups has no alarms for them", async () => {
  const without = alarmsOf((await synthesise({ stage: "prod", webAcl: "off", canary: "off" })).template);
  assert.deepEqual(
    [...alarms.keys()].filter((section) => !without.has(section)),
    ["blocked-requests", "failed-backups"],
  );
});

describe("the topic", () => {
  test("is encrypted with a key that CloudWatch may use, and refuses requests without TLS", () => {
    const { KmsMasterKeyId } = template.Resources[topicId].Properties;
    const { KeyPolicy, EnableKeyRotation } = template.Resources[idIn(KmsMasterKeyId)].Properties;
    const [, ofCloudWatch] = KeyPolicy.Statement;
    assert.deepEqual(ofCloudWatch.Principal, { Service: "cloudwatch.amazonaws.com" });
    assert.deepEqual(ofCloudWatch.Action, ["kms:Decrypt", "kms:GenerateDataKey*"]);
    assert.equal(EnableKeyRotation, true);
    const [deny, allow] = only(template, "AWS::SNS::TopicPolicy").Properties.PolicyDocument.Statement;
    assert.deepEqual([deny.Effect, deny.Condition], ["Deny", { Bool: { "aws:SecureTransport": "false" } }]);
    assert.deepEqual(
      [allow.Effect, allow.Principal, allow.Action],
      ["Allow", { Service: "cloudwatch.amazonaws.com" }, "sns:Publish"],
    );
    assert.deepEqual(allow.Condition, { StringEquals: { "aws:SourceAccount": { Ref: "AWS::AccountId" } } });
    assert.deepEqual(findings, []);
  });

  test("sends email only to the addresses in the settings", async () => {
    const subscriptions = resourcesOf(template, "AWS::SNS::Subscription").map(([, { Properties }]) => Properties);
    assert.deepEqual(
      subscriptions.map(({ Protocol, Endpoint, TopicArn }) => [Protocol, Endpoint, TopicArn.Ref]),
      ["ada@example.org", "grace@example.org"].map((address) => ["email", address, topicId]),
    );
    assert.deepEqual(resourcesOf((await synthesise({ stage: "dev" })).template, "AWS::SNS::Subscription"), []);
    for (const alarmEmails of ["", "ada", "ada@example.org,grace@example.org", "ada@example.org  x"]) {
      assert.match(String(Settings.safeParse({ alarmEmails }).error), /alarmEmails/, alarmEmails);
    }
  });
});
