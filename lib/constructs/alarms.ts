import type { Construct } from "constructs";
import type { ObservedMetrics } from "./observedMetrics.ts";
import { alarmName, type ServiceAlarmProps, serviceAlarm } from "./serviceAlarm.ts";

/**
 * Adds the alarms that are not a queue's own, each with the reason for its threshold.
 * @returns the names of those by which a release is taken back.
 */
export function addAlarms(scope: Construct, metrics: ObservedMetrics): string[] {
  const alarms = {
    ...requestAlarms(metrics),
    ...webAclAlarms(metrics),
    ...flowAlarms(metrics),
    ...tableAlarms(metrics),
  };
  for (const [section, alarm] of Object.entries(alarms)) serviceAlarm(scope, section, alarm);
  const ofRelease = Object.entries(releaseAlarms(metrics));
  for (const [section, alarm] of ofRelease) serviceAlarm(scope, section, { ...alarm, badMinutes: badMinutesOfRelease });
  return ofRelease.map(([section]) => alarmName(scope, section));
}

type Alarms = Record<string, ServiceAlarmProps>;

/** CloudWatch knows a minute a little after it, and a release is on trial for five. */
const badMinutesOfRelease = 2;

/** What a bad version does to the API. It is on trial with a tenth of the requests, which each of these is sure to see. */
function releaseAlarms(metrics: ObservedMetrics): Alarms {
  return {
    "server-errors": {
      meaning: "More than 1 % of requests end in a 5xx.",
      metric: metrics.serverErrorRate,
      // Clients try again, so that one in a hundred is hardly felt. With few requests, two failures in five minutes are told.
      above: 0.01,
    },
    latency: {
      meaning: "One request in a hundred takes longer than two seconds.",
      metric: metrics.latencyMs,
      // Longer than a cold authorizer and a cold function one after the other, and than a call to the table that is tried a second time.
      above: 2_000,
    },
    "unauthorized-surge": {
      meaning: "More than one request in twenty, and no few, are refused with 401.",
      metric: metrics.unauthorizedPercent,
      // Integrations keep their keys for months: in a normal minute hardly any is wrong.
      above: 5,
    },
    "authorizer-errors": {
      meaning: "An authorizer fails, so that requests with good keys or tokens end in 503.",
      metric: metrics.authorizerErrors,
      // A bad key is an answer and no error, so that there is no normal number of these.
      above: 0,
    },
  };
}

function requestAlarms(metrics: ObservedMetrics): Alarms {
  return {
    "throttled-requests": {
      meaning: "The stage takes more requests than it may, and answers 429.",
      metric: metrics.throttledRequests,
      // The limit is everybody's: whoever is refused may not be the one who asks too much.
      above: 0,
    },
    "function-throttles": {
      meaning: "Lambda does not run functions of this account, because too many run at once.",
      metric: metrics.functionThrottles,
      // Lambda refuses only what is above the account's limit or the pace at which it adds processes: a normal day has none.
      above: 0,
    },
  };
}

function webAclAlarms({ blockedRequests }: ObservedMetrics): Alarms {
  if (!blockedRequests) return {};
  return {
    "blocked-requests": {
      meaning: "The web ACL refuses many requests.",
      metric: blockedRequests,
      // Scanners that try every address of the internet make some dozens a minute; whoever means this service makes more.
      above: 500,
    },
  };
}

function flowAlarms(metrics: ObservedMetrics): Alarms {
  return {
    "feed-age": {
      meaning: "A record has waited in the feed for more than a quarter of an hour.",
      metric: metrics.feedAgeSeconds,
      // A message that failed twice is 12 minutes old, and stored by the third try where the table was busy.
      above: 15 * 60,
    },
    "summaries-age": {
      meaning: "The summaries are more than five minutes behind.",
      metric: metrics.summariesAgeMs,
      // They are a second or two behind by design. The stream keeps what is not yet counted for a day.
      above: 5 * 60_000,
    },
    "outgoing-events-failures": {
      meaning: "The pipe from the table to the event bus fails or waits, so that events come late.",
      metric: metrics.pipeFailures,
      // The pipe tries again by itself. What fails in three minutes of five does not mend by that.
      above: 0,
    },
  };
}

function tableAlarms(metrics: ObservedMetrics): Alarms {
  return {
    "table-throttles": {
      meaning: "DynamoDB refuses reads or writes because there are too many.",
      metric: metrics.tableThrottles,
      // A table on demand refuses some while it grows to a new peak; the client tries these again, and so does the feed.
      above: 100,
    },
    "table-errors": {
      meaning: "DynamoDB fails.",
      metric: metrics.tableErrors,
      // Single failures are tried again and harm nobody; they do not come in three minutes of five.
      above: 0,
    },
  };
}
