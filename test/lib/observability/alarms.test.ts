import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "@jest/globals";
import { endpoints } from "../../../functions/endpoints/index.ts";
import { operationsWithEvents } from "../../../lib/stream/outgoingEventsConstruct.ts";
import { alarmsOf, isBad, isRaised, type Values } from "../support/alarms.ts";
import { allFeatures } from "../support/allFeatures.ts";
import { idIn, type Json, only, resourcesOf, synthesise } from "../support/synthesise.ts";

const { template } = await synthesise(allFeatures);
const alarms = alarmsOf(template);
const [topicId = ""] = resourcesOf(template, "AWS::SNS::Topic")[0] ?? [];
const runbook = readFileSync("docs/operators/runbook.md", "utf8");
/** The sections of alarms, by their anchors. */
const sections = new Map(
  runbook
    .split(/^### /m)
    .slice(1)
    .map((text) => [(text.split("\n")[0] ?? "").toLowerCase().replaceAll(" ", "-"), text]),
);

/** The latencies of a minute whose requests, from a share on, are slow. */
const slowFrom = (percent: number, slow = 2_001) =>
  Object.fromEntries([99, 95, 90, 50].map((one) => [`p${one}`, one >= percent ? slow : 60]));
/** Receivers that do not answer a test of a webhook. */
const silentFrom = (percent: number) => slowFrom(percent, 10_050);

/**
 * The first bad and the last good periods of the alarms that calculate more than a sum, which the snapshot in stacks.test.ts shows with all
 * others. At night there are few requests, and the stage's limit is 180,000 a minute.
 */
const periods: Record<string, { bad: Values[]; good: Values[] }> = {
  "server-errors": {
    bad: [
      { errors: 7, requests: 600 },
      { errors: 1_801, requests: 180_000 },
      { errors: 3, requests: 100 },
    ],
    good: [{ errors: 6, requests: 600 }, { errors: 2, requests: 3 }, {}],
  },
  "function-failures": {
    bad: [
      { failures: 1, requests: 600 },
      { failures: 19, requests: 180_000 },
    ],
    good: [
      { failures: 0, requests: 600 },
      { failures: 18, requests: 180_000 },
      // Writes during an outage.
      { failures: 5, outages: 5, requests: 600 },
      {},
    ],
  },
  latency: {
    bad: [
      { ...slowFrom(99), requests: 300, tests: 0 },
      { ...slowFrom(95), requests: 60, tests: 0 },
      { ...slowFrom(90), requests: 20, tests: 0 },
      // Others are slow, too.
      { ...slowFrom(90), requests: 300, tests: 3 },
      { ...slowFrom(50), requests: 100, tests: 49 },
    ],
    good: [
      { ...slowFrom(50, 2_000), requests: 300, tests: 0 },
      { ...slowFrom(99), requests: 299, tests: 0 },
      { ...slowFrom(95), requests: 59, tests: 0 },
      { ...slowFrom(50), requests: 19, tests: 0 },
      { ...silentFrom(95), requests: 20, tests: 1 },
      { ...silentFrom(95), requests: 1_000, tests: 99 },
      { ...silentFrom(90), requests: 200, tests: 20 },
      { ...silentFrom(50), requests: 39, tests: 20 },
      { ...silentFrom(50), requests: 119, tests: 100 },
      {},
    ],
  },
  "authorizer-errors": {
    bad: [{ keys: 1 }, { people: 1, requests: 600 }, { keys: 10, people: 9, requests: 180_000 }],
    good: [{ keys: 9, people: 9, requests: 180_000 }, { keys: 0, people: 0, requests: 600 }, {}],
  },
  "unauthorized-surge": {
    bad: [
      { unauthorized: 50, requests: 50 },
      { unauthorized: 9_001, requests: 180_000 },
    ],
    good: [{ unauthorized: 49, requests: 100 }, { unauthorized: 9_000, requests: 180_000 }, {}],
  },
  "feed-age": { bad: [{ age: 901 }, { waited: 901 }], good: [{ age: 900, waited: 900 }, {}] },
  "feed-silent": { bad: [{}, { sent: 0 }], good: [{ sent: 1 }] },
  "table-stream-stopped": { bad: [{ written: 1 }], good: [{ written: 1, polled: 0 }, { polled: 0 }, {}] },
  "outgoing-events-stopped": {
    bad: [{ changes0: 1 }, { changes1: 1 }],
    good: [{ changes0: 1, changes1: 1, calls: 1 }, { calls: 0 }, {}],
  },
};

const expressionOf = ({ Metrics = [] }: Json): string => Metrics.find(({ Expression }: Json) => Expression)?.Expression;

test("every alarm that calculates more than a sum has its periods listed here", () => {
  const calculating = [...alarms].filter(([, alarm]) => /[^+]/.test(withoutSums(expressionOf(alarm) ?? "")));
  assert.deepEqual(calculating.map(([section]) => section).sort(), Object.keys(periods).sort());
});

function withoutSums(expression: string): string {
  return expression.replaceAll(/^FILL\(\w+, 0\)| \+ FILL\(\w+, 0\)/g, "");
}

test.each(Object.entries(periods))("%s: distinguishes bad periods from good ones", (section, { bad, good }) => {
  const alarm = alarms.get(section);
  for (const values of bad) assert.ok(isBad(alarm, values), JSON.stringify(values));
  for (const values of good) assert.ok(!isBad(alarm, values), JSON.stringify(values));
});

test("an alarm has at most ten metrics, of one period, which CloudWatch requires", () => {
  for (const [section, { Metrics = [] }] of alarms) {
    const stats = Metrics.flatMap(({ MetricStat }: Json) => MetricStat ?? []);
    assert.ok(stats.length <= 10 && new Set(stats.map(({ Period }: Json) => Period)).size <= 1, section);
  }
});

test("metrics of requests are counted in the access log, by fields that it has", () => {
  const { Format, DestinationArn } = only(template, "AWS::ApiGateway::Stage").Properties.AccessLogSetting;
  for (const [id, { Properties }] of resourcesOf(template, "AWS::Logs::MetricFilter")) {
    assert.ok(JSON.stringify(DestinationArn).includes(`"Ref":"${idIn(Properties.LogGroupName)}"`), id);
    for (const [, field = ""] of Properties.FilterPattern.matchAll(/\$\.(\w+)/g))
      assert.ok(field in JSON.parse(Format), id);
  }
});

describe("the alarms of stopped consumers", () => {
  const work: Record<string, [Values, Values]> = {
    "table-stream-stopped": [{ written: 3 }, { written: 3, polled: 1 }],
    "outgoing-events-stopped": [{ changes0: 1 }, { changes0: 1, calls: 1 }],
  };

  test.each(Object.entries(work))("%s: ignores a change whose event arrives in the next window", (section, [late]) => {
    assert.ok(!isRaised(alarms.get(section), [{}, late, {}, {}, late, {}]));
  });

  test.each(Object.entries(work))("%s: sees that it stops for a quarter of an hour", (section, [stopped, running]) => {
    assert.ok(isRaised(alarms.get(section), [running, running, running, stopped, stopped, stopped]));
    assert.ok(!isRaised(alarms.get(section), [running, running, running, running, stopped, stopped]));
  });

  test("know every operation whose changes clients make with an API key", () => {
    const changing = endpoints.filter(({ method, caller }) => method !== "GET" && caller.scheme === "apiKey");
    assert.deepEqual(changing.map(({ operationId }) => operationId).sort(), [...operationsWithEvents].sort());
  });
});

describe("every alarm", () => {
  test("notifies the topic when it is raised and when it is over", () => {
    for (const [section, alarm] of alarms) {
      assert.deepEqual([alarm.AlarmActions, alarm.OKActions], [[{ Ref: topicId }], [{ Ref: topicId }]], section);
      assert.equal(alarm.AlarmName, `ticketing-prod-${section}`);
    }
  });

  test("has its section in the runbook, and every section its alarm", () => {
    const links = [...alarms.values()].map(({ AlarmDescription }) => / (\S+\.md#\S+) says/.exec(AlarmDescription)?.[1]);
    assert.deepEqual(
      links.toSorted(),
      [...sections.keys()].map((name) => `docs/operators/runbook.md#${name}`).toSorted(),
    );
  });

  test("has its severity, meaning, checks, actions and words for customers in the runbook", () => {
    const form =
      /^.+\n\n- \*\*Severity\*\*: [123]\b.* \*\*Customers\*\*: .+\n- \*\*Meaning\*\*: .+\n- \*\*Check\*\*: .+\n- \*\*Do\*\*: .+\n/;
    assert.deepEqual(
      [...sections].filter(([, text]) => !form.test(text)).map(([name]) => name),
      [],
    );
  });

  test("pages somebody by the pager's filter exactly if its severity is 1 or 2", () => {
    const urgent = [...sections].filter(([, text]) => /\*\*Severity\*\*: [12]/.test(text)).map(([name]) => `-${name}`);
    const { FilterPolicyScope, FilterPolicy } = JSON.parse(readFileSync("deploy/bootstrap/pager.json", "utf8"));
    const { AlarmName } = JSON.parse(FilterPolicy);
    assert.equal(FilterPolicyScope, "MessageBody");
    assert.deepEqual(AlarmName.map(({ suffix }: Json) => suffix).toSorted(), urgent.toSorted());
    const paged = [...alarms.keys()].filter((name) =>
      urgent.some((suffix) => `ticketing-prod-${name}`.endsWith(suffix)),
    );
    assert.equal(paged.length, urgent.length);
  });
});

test("alarms, the budget and an anomaly of a tenth of it reach every address in the settings", () => {
  const { alarmEmails, monthlyBudget } = allFeatures;
  const subscriptions = resourcesOf(template, "AWS::SNS::Subscription").map(
    ([, { Properties }]) => Properties.Endpoint,
  );
  assert.deepEqual(subscriptions, alarmEmails.split(" "));
  const addressesOf = (subscribers: Json[]) => subscribers.map(({ Address }) => Address).join(" ");
  const { Budget, NotificationsWithSubscribers } = only(template, "AWS::Budgets::Budget").Properties;
  assert.equal(String(Budget.BudgetLimit.Amount), monthlyBudget);
  for (const { Subscribers } of NotificationsWithSubscribers) assert.equal(addressesOf(Subscribers), alarmEmails);
  const { Subscribers, ThresholdExpression } = only(template, "AWS::CE::AnomalySubscription").Properties;
  assert.equal(addressesOf(Subscribers), alarmEmails);
  assert.deepEqual(JSON.parse(ThresholdExpression).Dimensions.Values, [String(Number(monthlyBudget) / 10)]);
});
