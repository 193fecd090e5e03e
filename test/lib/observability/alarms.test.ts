import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "@jest/globals";
import { damagedItems } from "../../../functions/log/measurements.ts";
import { tableDefinition } from "../../../functions/table/definition.ts";
import { operationsWithEvents } from "../../../lib/changes/outgoingEvents.ts";
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

const { template, stacks, findings } = await synthesise({
  stage: "prod",
  alarmEmails: "ada@example.org grace@example.org",
  backupVaultArn: "arn:aws:backup:eu-central-1:444455556666:backup-vault:ticketing-copies",
});
const ids = watchedIds(template);
const aws = awsMetrics(template);
const alarms = alarmsOf(template);
const [topicId = ""] = resourcesOf(template, "AWS::SNS::Topic")[0] ?? [];

/** Requests of a minute with the same response. */
const requests = (count: number, answered: Answered): Numbers[] =>
  count === 0 ? [] : aws.request(answered).map((number) => ({ ...number, times: count }));

/** Tests of webhooks whose receivers do not answer. */
const slowTests = (count: number) =>
  requests(count, { status: 200, latencyMs: 10_050, route: "/admin/webhooks/{id}/test" });

const indexes = tableDefinition.indexes.map(({ indexName }) => ({ GlobalSecondaryIndexName: indexName }));
const actions = ["GetItem", "Query", "PutItem", "UpdateItem", "BatchGetItem", "BatchWriteItem", "TransactWriteItems"];

/** Minutes that are bad for an alarm, and minutes that are not. */
interface Minutes {
  bad: Numbers[][];
  good: Numbers[][];
}

/** The alarms that compare failures with the number of requests, at a rate of requests a minute. */
function requestMinutes(rate: number): Record<string, Minutes> {
  /** A minute of which some requests have another response. */
  const mixed = (count: number, other: Answered, ofRequests = rate) => [
    ...requests(ofRequests - Math.floor(count), { status: 200 }),
    ...requests(Math.floor(count), other),
  ];
  const failures = [500, "INTEGRATION_FAILURE", "INTEGRATION_TIMEOUT"].map(
    (kind): Answered => (kind === 500 ? { status: 500 } : { status: 503, errorType: String(kind) }),
  );
  const slow = { status: 200, latencyMs: 2_500 };
  const authorizers = (errors: number) =>
    ids.authorizers.map((id) => [
      ...requests(rate, { status: 200 }),
      ...aws.lambda(id, { Invocations: rate, Errors: errors }),
    ]);
  const keys = (lost: number) => [
    ...aws.lambda(ids.authorizers[0] ?? "", { Invocations: rate }),
    ...aws.own("apiKeyAuthorizer", { lost_keys: lost }),
  ];
  const refused = { status: 401, errorType: "ACCESS_DENIED" };
  return {
    "server-errors": {
      bad: [mixed(rate * 0.01 + 1, { status: 503 }), mixed(3, { status: 503 }, 100)],
      good: [mixed(rate * 0.01, { status: 503 }), mixed(2, { status: 503 }, 100)],
    },
    "function-failures": {
      bad: failures.flatMap((failure) => [mixed(rate * 0.0001 + 1, failure), requests(1, failure)]),
      good: failures.map((failure) => mixed(rate * 0.0001, failure)),
    },
    latency: {
      bad: [
        mixed(rate * 0.012, slow),
        mixed(6, slow, 100),
        mixed(3, slow, 20),
        [...slowTests(rate / 100), ...mixed(rate * 0.2, slow)],
      ],
      good: [
        mixed(rate * 0.009, slow),
        mixed(2, slow, 20),
        mixed(19, slow, 19),
        [...slowTests(rate / 100), ...mixed(rate * 0.05, slow)],
      ],
    },
    "unauthorized-surge": {
      bad: [mixed(rate * 0.09, refused), requests(50, { status: 401, errorType: "UNAUTHORIZED" })],
      good: [mixed(rate * 0.05, refused), mixed(49, refused, 100)],
    },
    "lost-keys": { bad: [keys(rate * 0.06)], good: [keys(rate * 0.05)] },
    "authorizer-errors": { bad: authorizers(rate * 0.0001 + 1), good: authorizers(rate * 0.0001) },
  };
}

/** A metric that may not exceed a limit. */
const limited = (limit: number, sample: (value: number) => Numbers[]): Minutes => ({
  bad: [sample(limit + 1)],
  good: [sample(limit)],
});

/** The other alarms about requests, whose thresholds are counts. */
const countedRequests: Record<string, Minutes> = {
  "throttled-requests": {
    bad: [[...requests(300, { status: 200 }), ...requests(1, { status: 429, errorType: "THROTTLED" })]],
    good: [requests(300, { status: 429, errorType: "WAF_FILTERED" })],
  },
  "blocked-requests": { bad: [aws.webAcl({ BlockedRequests: 501 })], good: [aws.webAcl({ BlockedRequests: 500 })] },
  "function-throttles": {
    bad: [requests(1, { status: 500, integrationStatus: 429 }), requests(1, { status: 500, authorizerStatus: 429 })],
    good: [requests(300, { status: 429, integrationStatus: 200 })],
  },
  probe: { bad: [aws.probe({ SuccessPercent: 0 }), []], good: [aws.probe({ SuccessPercent: 100 })] },
  "probe-key": limited(0, (missing) => aws.probe({ SuccessPercent: 100, KeyMissing: missing })),
  "certificate-expiry": {
    bad: [aws.probe({ SuccessPercent: 100, CertificateDays: 29.9 })],
    good: [aws.probe({ SuccessPercent: 100, CertificateDays: 30 })],
  },
};

const flows: Record<string, Minutes> = {
  "feed-age": {
    bad: [aws.queue(ids.feed, { ApproximateAgeOfOldestMessage: 901 }), aws.own("feed", { waited: 901 })],
    good: [[...aws.queue(ids.feed, { ApproximateAgeOfOldestMessage: 900 }), ...aws.own("feed", { waited: 900 })]],
  },
  "import-age": limited(3_600, (seconds) => aws.queue(ids.imports, { ApproximateAgeOfOldestMessage: seconds })),
  "feed-silent": {
    bad: [[], aws.queue(ids.feed, { NumberOfMessagesSent: 0 })],
    good: [aws.queue(ids.feed, { NumberOfMessagesSent: 1 })],
  },
  "summaries-stopped": {
    bad: [aws.table({}, { ConsumedWriteCapacityUnits: 1 })],
    good: [
      [
        ...aws.table({}, { ConsumedWriteCapacityUnits: 1 }),
        ...aws.mapping(ids.summariesMapping, { PolledEventCount: 0 }),
      ],
    ],
  },
  "outgoing-events-stopped": {
    bad: operationsWithEvents.map((operation) => aws.own(operation, { changes: 1 })),
    good: operationsWithEvents.map((operation) => [
      ...aws.own(operation, { changes: 1 }),
      ...aws.lambda(ids.outgoingEvents, { Invocations: 1 }),
    ]),
  },
  "summaries-age": limited(300_000, (ms) => aws.lambda(ids.summaries, { IteratorAge: ms })),
  "outgoing-events-failures": {
    bad: ["ExecutionFailed", "ExecutionPartiallyFailed", "ExecutionThrottled", "ExecutionTimeout"].map((name) =>
      aws.pipe({ Invocations: 9, [name]: 1 }),
    ),
    good: [aws.pipe({ Invocations: 9, ExecutionFailed: 0 })],
  },
  "webhooks-failures": limited(0, (errors) => aws.own("webhooks", { webhook_errors: errors })),
  "webhooks-late": {
    bad: [[], [301, 0, 0].flatMap((seconds) => aws.own("webhooks", { webhook_late_seconds: seconds }))],
    good: [aws.own("webhooks", { webhook_late_seconds: 300 })],
  },
  "webhooks-waiting": limited(300, (seconds) => aws.queue(ids.wakeUps, { ApproximateAgeOfOldestMessage: seconds })),
  "webhooks-key": limited(0, (failures) => aws.own("webhooks", { webhook_key_failures: failures })),
  ...Object.fromEntries(
    Object.entries(ids.deadLetters).map(([section, id]) => [
      section,
      limited(0, (messages) => aws.queue(id, { ApproximateNumberOfMessagesVisible: messages })),
    ]),
  ),
};

const storage: Record<string, Minutes> = {
  "table-throttles": {
    bad: [
      ...["ReadThrottleEvents", "WriteThrottleEvents"].map((name) => aws.table({}, { [name]: 101 })),
      ...indexes.map((index) => aws.table(index, { ReadThrottleEvents: 101 })),
    ],
    good: [aws.table({}, { ReadThrottleEvents: 50, WriteThrottleEvents: 50 })],
  },
  "index-throttles": {
    bad: indexes.map((index) => aws.table(index, { WriteThrottleEvents: 101 })),
    good: indexes.map((index) => aws.table(index, { WriteThrottleEvents: 100 })),
  },
  "damaged-items": limited(0, (items) => aws.own(damagedItems, { damaged_items: items })),
  "table-errors": {
    bad: actions.map((Operation) => aws.table({ Operation }, { SystemErrors: 1 })),
    good: [aws.table({ Operation: "GetItem" }, { SystemErrors: 0 })],
  },
};

/** The rates of 10, 300 and 3,000 requests a second, the last of which is the stage's limit. */
const rates = [600, 18_000, 180_000];
const minutesAt = (rate: number) => ({ ...requestMinutes(rate), ...countedRequests, ...flows, ...storage });

/** An ordinary minute, with the few failures of every day. */
const ordinaryAt = (rate: number): Numbers[] => [
  ...requests(rate * 0.983, { status: 200, latencyMs: 60 }),
  ...requests(rate * 0.006, { status: 200, latencyMs: 1_400 }),
  ...requests(rate * 0.009, { status: 401, errorType: "ACCESS_DENIED" }),
  ...requests(rate * 0.002, { status: 503 }),
  ...requests(Math.floor(rate * 0.0001), { status: 500 }),
  ...ids.authorizers.flatMap((id) => aws.lambda(id, { Invocations: rate / 2, Errors: 0, Throttles: 0 })),
  // Of another service in the account.
  ...aws.lambda("another", { Invocations: 900, Errors: 30, Throttles: 40 }),
  ...aws.own("apiKeyAuthorizer", { lost_keys: 2 }),
  ...aws.queue(ids.feed, {
    ApproximateAgeOfOldestMessage: 40,
    ApproximateNumberOfMessagesVisible: 12,
    NumberOfMessagesSent: 3,
  }),
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
  ...aws.webAcl({ AllowedRequests: rate, BlockedRequests: 30 }),
];

const calmWithoutRequests: Numbers[] = [
  ...aws.mapping(ids.summariesMapping, { PolledEventCount: 0 }),
  ...aws.probe({ SuccessPercent: 100 }),
  ...aws.own("webhooks", { webhook_late_seconds: 0, webhook_key_failures: 0 }),
  ...aws.queue(ids.feed, { NumberOfMessagesSent: 1 }),
];

/** A minute of a night without clients. */
const quiet: Numbers[] = [...requests(3, { status: 200, latencyMs: 4_000 }), ...calmWithoutRequests];

/** How many of its periods an alarm is simulated: those that it looks at, and at least ten. */
const periodsOf = ({ EvaluationPeriods }: Json) => Math.max(10, EvaluationPeriods);

/** An alarm's state after its periods, of which the given ones were bad and the others calm. */
function stateAfter(alarm: Json, bad: number[], trouble: Numbers[], calm: Numbers[]) {
  const length = periodMinutes(alarm);
  // All minutes of a longer period would be alike.
  const inPeriod = Array.from({ length: Math.min(5, length) }, (_, minute) => minute);
  const periods = Array.from({ length: periodsOf(alarm) }, (_, period) => period);
  const minutesIn = (some: number[]) => some.flatMap((period) => inPeriod.map((minute) => period * length + minute));
  const others = periods.filter((period) => !bad.includes(period));
  const samples = [...minutesOf(minutesIn(bad), trouble), ...minutesOf(minutesIn(others), calm)];
  return stateOf(template, alarm, samples, periods.length * length - 1);
}

/** Bad periods among the last: just enough to raise an alarm, as far apart as possible, and one too few. */
function enough({ EvaluationPeriods, DatapointsToAlarm, ...alarm }: Json): number[] {
  const last = periodsOf({ EvaluationPeriods, ...alarm }) - 1;
  const gap = Math.min(2, Math.floor((EvaluationPeriods - 1) / Math.max(1, DatapointsToAlarm - 1)));
  return Array.from({ length: DatapointsToAlarm }, (_, index) => last - index * gap).reverse();
}
const tooFew = (alarm: Json) => (alarm.EvaluationPeriods === 1 ? [periodsOf(alarm) - 2] : enough(alarm).slice(1));

const runbook = ["docs/operators/runbook.md", "docs/operators/runbook-data.md"];

test.each([1, 20, 100])("%d tests of webhooks a minute with silent receivers raise no alarm", (count) => {
  const tested = [...slowTests(count), ...requests(19, { status: 200 }), ...calmWithoutRequests];
  for (const [section, alarm] of alarms) assert.equal(stateAfter(alarm, [], [], tested), "OK", section);
});

test("every alarm has its good and bad minutes listed here", () => {
  assert.deepEqual([...alarms.keys()].sort(), Object.keys(minutesAt(600)).sort());
});

/** Alarms of what runs every minute, or must at least happen now and then: no data is bad. */
const needData = ["probe", "webhooks-late", "feed-silent"];

describe.each(rates)("at %d requests a minute", (rate) => {
  const ordinary = ordinaryAt(rate);
  const minutes: Record<string, Minutes> = minutesAt(rate);
  for (const [section, alarm] of alarms) {
    test(`${section}: is raised by each of its bad minutes, and not by fewer or by good ones`, () => {
      const { bad = [], good = [] } = minutes[section] ?? {};
      for (const calm of [ordinary, quiet]) {
        for (const trouble of bad) {
          const description = JSON.stringify(trouble);
          assert.equal(stateAfter(alarm, enough(alarm), trouble, calm), "ALARM", description);
          assert.equal(stateAfter(alarm, tooFew(alarm), trouble, calm), "OK", description);
        }
      }
      for (const minute of good) assert.equal(stateAfter(alarm, [], [], minute), "OK", JSON.stringify(minute));
    });

    test(`${section}: stays quiet in ordinary minutes, at night, and without any data unless something has to happen`, () => {
      assert.equal(stateAfter(alarm, [], [], ordinary), "OK");
      assert.equal(stateAfter(alarm, [], [], quiet), "OK");
      assert.equal(stateAfter(alarm, [], [], []), needData.includes(section) ? "ALARM" : "OK");
    });
  }
});

describe("every alarm", () => {
  for (const [section, alarm] of alarms) {
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

  test("pages somebody by the pager's filter exactly if its severity is 1 or 2", () => {
    const sections = runbook.flatMap((page) => [
      ...readFileSync(page, "utf8").matchAll(/^### (.+)\n\n\*\*Severity\*\*: ([123])/gm),
    ]);
    const urgent = sections.flatMap(([, heading = "", severity]) =>
      severity === "3" ? [] : `-${heading.toLowerCase().replaceAll(" ", "-")}`,
    );
    const { FilterPolicyScope, FilterPolicy } = JSON.parse(readFileSync("deploy/bootstrap/pager.json", "utf8"));
    const { AlarmName } = JSON.parse(FilterPolicy);
    assert.equal(FilterPolicyScope, "MessageBody");
    assert.deepEqual(AlarmName.map(({ suffix }: Json) => suffix).toSorted(), urgent.toSorted());
    const paged = [...alarms.keys()].filter((name) =>
      urgent.some((suffix) => `ticketing-prod-${name}`.endsWith(suffix)),
    );
    assert.equal(paged.length, urgent.length);
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

  test("stays, with its subscriptions, when the API stack is created again", () => {
    assert.equal(stacks.data.Resources[topicId].Type, "AWS::SNS::Topic");
  });
});

test("a budget, and an anomaly of a tenth of it, send e-mails to every recipient of alarms", async () => {
  const alarmEmails = "ada@example.org grace@example.org";
  const { stacks: withBudget } = await synthesise({ stage: "prod", alarmEmails, monthlyBudget: "500" });
  const { Budget, NotificationsWithSubscribers } = only(withBudget.data, "AWS::Budgets::Budget").Properties;
  assert.deepEqual(Budget, { BudgetLimit: { Amount: 500, Unit: "USD" }, BudgetType: "COST", TimeUnit: "MONTHLY" });
  const notified = NotificationsWithSubscribers.map(({ Notification, Subscribers }: Json) => [
    Notification.NotificationType,
    Notification.Threshold,
    Subscribers.map(({ Address }: Json) => Address).join(" "),
  ]);
  assert.deepEqual(notified, [
    ["ACTUAL", 100, alarmEmails],
    ["FORECASTED", 100, alarmEmails],
  ]);
  const { Subscribers, ThresholdExpression } = only(withBudget.data, "AWS::CE::AnomalySubscription").Properties;
  assert.equal(Subscribers.map(({ Address }: Json) => Address).join(" "), alarmEmails);
  assert.deepEqual(JSON.parse(ThresholdExpression).Dimensions.Values, ["50"]);
  assert.deepEqual(resourcesOf(template, "AWS::Budgets::Budget"), []);
  assert.match(String(Settings.safeParse({ monthlyBudget: "500" }).error), /Needs alarmEmails/);
});
