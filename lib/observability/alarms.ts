import { Duration } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { canaryMinutes } from "../api/canaryReleases.ts";
import { alarmName, type ServiceAlarmProps, serviceAlarm } from "../shared/serviceAlarm.ts";
import { comparedPeriod, type ObservedMetrics } from "./observedMetrics.ts";

/**
 * Adds the alarms, except those of queues. Each has the reason for its threshold.
 * @param feedSilenceHours without a record raise an alarm; none if 0.
 * @returns the names of the alarms that roll back a release.
 */
export function addAlarms(scope: Construct, metrics: ObservedMetrics, feedSilenceHours: number): string[] {
  const add = (page: ServiceAlarmProps["page"], alarms: Alarms) => {
    for (const [section, alarm] of Object.entries(alarms)) serviceAlarm(scope, section, { page, ...alarm });
  };
  add("runbook", { ...requestAlarms(metrics), ...webAclAlarms(metrics) });
  add("runbook-data", {
    ...flowAlarms(metrics),
    ...silenceAlarms(metrics, feedSilenceHours),
    ...stopAlarms(metrics),
    ...tableAlarms(metrics),
  });
  const ofRelease = releaseAlarms(metrics);
  add("runbook", ofRelease);
  return Object.keys(ofRelease).map((section) => alarmName(scope, section));
}

type Alarms = Record<string, Omit<ServiceAlarmProps, "page">>;

/** One bad minute is often an accident, and CloudWatch's data is one or two minutes late. */
const badMinutesOfRelease = 2;

/** Effects of a bad version, also of one that gets only a tenth of the requests. */
function releaseAlarms(metrics: ObservedMetrics): Alarms {
  const badMinutes = badMinutesOfRelease;
  return {
    "server-errors": {
      meaning: "More than 1 % of requests, and at least 3 a minute, end in a 5xx.",
      metric: metrics.serverErrorPercent,
      // Clients retry, so they barely notice one failure in a hundred.
      above: 1,
      badMinutes,
    },
    "function-failures": {
      meaning: "A function fails: it responds with 500, crashes or times out.",
      metric: metrics.functionFailures,
      // Counted, because the share of a seldom used operation is too small to see: at 600 requests a minute, a canary of an operation
      // that gets 0.5 % of them fails three times in ten minutes. Overload and outages are 503, so only accidents are normal, which are left out.
      above: 0,
      badMinutes,
      ofMinutes: canaryMinutes,
    },
    latency: {
      meaning: "At least three requests a minute, and one in a hundred, take longer than two seconds.",
      metric: metrics.latencyMsOfMany,
      // Longer than the cold starts of an authorizer and a function together, and than a table call with one retry.
      above: 2_000,
      badMinutes,
    },
    "lost-keys": {
      meaning: "More than 5 % of API keys, and at least 3 a minute, were made here and are not found.",
      metric: metrics.lostKeysPercent,
      // Caused by a release that cannot find valid keys. Missing, revoked and invented keys do not count: outsiders cause them.
      above: 5,
      badMinutes,
    },
    "authorizer-errors": {
      meaning: "An authorizer fails, so requests with valid keys or tokens get a 503.",
      metric: metrics.authorizerErrors,
      // Rejecting a bad key is not an error, so only accidents are normal, which are left out.
      above: 0,
      badMinutes,
    },
  };
}

function requestAlarms(metrics: ObservedMetrics): Alarms {
  return {
    "unauthorized-surge": {
      meaning: "More than 5 % of requests, and at least 50 a minute, get a 401.",
      metric: metrics.unauthorizedPercent,
      // Integrations keep their keys for months, so 401s are normally rare.
      above: 5,
    },
    "throttled-requests": {
      meaning: "The stage receives more requests than its limit and responds with 429.",
      metric: metrics.throttledRequests,
      // All callers share the limit, so those refused may not be those who send too much.
      above: 0,
    },
    "function-throttles": {
      meaning: "Lambda refuses to start functions for requests, because too many run at once.",
      metric: metrics.functionThrottles,
      // Lambda throttles only above the account's concurrency limit or its scaling rate: normally never.
      above: 0,
    },
  };
}

function webAclAlarms({ blockedRequests }: ObservedMetrics): Alarms {
  if (!blockedRequests) return {};
  return {
    "blocked-requests": {
      meaning: "The web ACL blocks many requests.",
      metric: blockedRequests,
      // Scanners of the whole internet cause some dozens a minute; an attack on this service causes more.
      above: 500,
    },
  };
}

function flowAlarms(metrics: ObservedMetrics): Alarms {
  return {
    "feed-age": {
      meaning: "A record has waited in the feed for more than 15 minutes.",
      metric: metrics.feedAgeSeconds,
      // A message that failed twice is 12 minutes old. After a busy spell of the table, the third try stores it.
      above: 15 * 60,
    },
    "import-age": {
      meaning: "A file of records has waited for more than an hour.",
      metric: metrics.importAgeSeconds,
      // After a crash, the second try begins when the message is 30 minutes old, and takes up to 15.
      above: 60 * 60,
    },
    "summaries-age": {
      meaning: "The summaries are more than five minutes behind.",
      metric: metrics.summariesAgeMs,
      // They are a second or two behind by design. The stream keeps uncounted changes for a day.
      above: 5 * 60_000,
    },
    "outgoing-events-failures": {
      meaning: "The pipe from the table to the event bus fails or is throttled, so events are late.",
      metric: metrics.pipeFailures,
      // The pipe retries by itself. Failures in three of five minutes need attention.
      above: 0,
    },
  };
}

function silenceAlarms({ feedSilentHours }: ObservedMetrics, hours: number): Alarms {
  if (hours === 0) return {};
  return {
    "feed-silent": {
      meaning: `No record has arrived for ${hours} hours, so the core system may have stopped sending.`,
      metric: feedSilentHours,
      above: 0,
      period: Duration.hours(1),
      badMinutes: hours * 60,
      ofMinutes: hours * 60,
      isMissingBad: true,
    },
  };
}

/**
 * The alarms above detect a consumer that fails; these detect one that does not run. Half an hour is long enough for periods with little
 * work.
 */
function stopAlarms(metrics: ObservedMetrics): Alarms {
  const window = { above: 0, period: comparedPeriod, badMinutes: 15, ofMinutes: 30 };
  return {
    "summaries-stopped": {
      meaning: "The table changes, but nothing reads its stream for the summaries.",
      metric: metrics.summariesStopped,
      ...window,
    },
    "outgoing-events-stopped": {
      meaning: "Clients make changes, but the pipe to the event bus does not run.",
      metric: metrics.outgoingEventsStopped,
      ...window,
    },
  };
}

function tableAlarms(metrics: ObservedMetrics): Alarms {
  return {
    "table-throttles": {
      meaning: "DynamoDB throttles reads, or writes of the table.",
      metric: metrics.tableThrottles,
      // An on-demand table throttles briefly while it scales to a new peak. The client and the feed retry.
      above: 100,
    },
    // Separate, because an alarm may have at most ten metrics. It delays writes to the table.
    "index-throttles": {
      meaning: "DynamoDB throttles writes of an index.",
      metric: metrics.indexThrottles,
      above: 100,
    },
    "damaged-items": {
      meaning: "An item of the table is damaged, so lists and changes are served without it.",
      metric: metrics.damagedItems,
      // Counted whenever a list leaves it out. The next reader may come hours later, so the first time counts.
      above: 0,
      badMinutes: 1,
    },
    "table-errors": {
      meaning: "DynamoDB returns server errors.",
      metric: metrics.tableErrors,
      // Retries absorb single failures, and these do not occur in three of five minutes.
      above: 0,
    },
  };
}
