import { FilterPattern, MetricFilter } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { testWebhook } from "../../functions/endpoints/testWebhook.ts";
import { perhapsRecordedWrites } from "../../functions/log/measurements.ts";
import { metricsNamespace, ownMetric, perMinute, sum } from "../shared/metrics.ts";
import { alarmName, observability, serviceAlarm } from "../shared/serviceAlarm.ts";
import { serviceFunctionsIn } from "../shared/serviceFunction.ts";
import { canaryMinutes } from "./canaryReleases.ts";
import type { RestApi } from "./restApi.ts";

type Alarm = Parameters<typeof serviceAlarm>[2];

/**
 * Adds the alarms of requests, each with the reason for its threshold. They watch all operations together: CloudWatch allows ten metrics and no
 * SEARCH in an alarm, and an alarm per function would report the same outage thirty times.
 * @returns the names of the alarms that roll back a release.
 */
export function addRequestAlarms(api: RestApi): string[] {
  const scope = observability(api);
  const ofRelease = { ...gatewayAlarms(scope, api), ...authorizerAlarms(api) };
  // One bad minute is often an accident, and CloudWatch's data is one or two minutes late.
  for (const [section, alarm] of Object.entries(ofRelease)) serviceAlarm(scope, section, { badMinutes: 2, ...alarm });
  for (const [section, alarm] of Object.entries(refusalAlarms(scope, api))) serviceAlarm(scope, section, alarm);
  return Object.keys(ofRelease).map((section) => alarmName(scope, section));
}

/** Below this share of a minute's requests, failures are accidents, such as a machine of Lambda's that fails: one of 10,000. */
const accidents = 0.0001;

/** Below this many 5xx a minute their share is ignored: at night, one may be more than 1 %. */
const fewErrors = 3;

/** Below this many requests a minute their latency is ignored: a single slow one would be the slowest hundredth. */
const fewRequests = 20;

/** A percentile that at least three slow requests reach, because one or two may have causes of their own. */
const latencyOfSeveral = "IF(requests >= 300, p99, IF(requests >= 60, p95, p90))";

/** Tests of webhooks wait for somebody else's receiver. In a minute with tests, a percentile that they cannot reach is used. */
const latencyWithoutTests = `IF(tests == 0, ${latencyOfSeveral}, IF(tests < 0.1 * requests, p90, IF(tests < 0.5 * requests, p50, 0)))`;

/** The effects of a bad version, even one that gets only a tenth of the requests. */
function gatewayAlarms(scope: Construct, api: RestApi) {
  const stage = api.gateway.deploymentStage;
  const requests = stage.metricCount(sum);
  const latency = (statistic: string) => stage.metricLatency({ ...sum, statistic });
  // An outage after which a write may have been recorded is a 500, too.
  const failures = "(failures - FILL(outages, 0))";
  return {
    "server-errors": {
      meaning: "More than 1 % of requests, and at least 3 a minute, get a 5xx.",
      metric: perMinute("5xx, % of requests", `IF(errors >= ${fewErrors}, 100 * errors / requests, 0)`, {
        errors: stage.metricServerError(sum),
        requests,
      }),
      // Clients retry, so they barely notice one failure in a hundred.
      above: 1,
    },
    "function-failures": {
      meaning: "A function fails: it responds with 500, crashes or times out.",
      metric: perMinute("Function failures", `IF(${failures} > ${accidents} * requests, ${failures}, 0)`, {
        // An unexpected error is a 500, and a crash or a timeout fails the integration.
        failures: accessLogCount(scope, api, "FunctionFailures", [
          ["status", "500"],
          ["error_type", "INTEGRATION_FAILURE"],
          ["error_type", "INTEGRATION_TIMEOUT"],
        ]),
        outages: ownMetric(scope, perhapsRecordedWrites, "perhaps_recorded"),
        requests,
      }),
      // A count, because the share of a seldom used operation is too small to see: at 600 requests a minute, a canary of an operation
      // that gets 0.5 % of them fails three times in ten minutes. Overload and outages are 503. Accidents are left out.
      above: 0,
      ofMinutes: canaryMinutes,
    },
    latency: {
      meaning: "At least three requests a minute, and one in a hundred, take longer than two seconds.",
      metric: perMinute(
        "Latency of the slowest requests, ms",
        `IF(requests >= ${fewRequests}, ${latencyWithoutTests}, 0)`,
        {
          p99: latency("p99"),
          p95: latency("p95"),
          p90: latency("p90"),
          p50: latency("p50"),
          requests,
          tests: accessLogCount(scope, api, "WebhookTests", [["route", testWebhook.path]]),
        },
      ),
      // Longer than the cold starts of an authorizer and a function together, and than a table call with one retry.
      above: 2_000,
    },
  } satisfies Record<string, Alarm>;
}

function authorizerAlarms(api: RestApi) {
  const functions = serviceFunctionsIn(api);
  const [ofKeys, ofPeople] = [functions.get("apiKeyAuthorizer"), functions.get("superAdminAuthorizer")];
  if (!ofKeys || !ofPeople) throw new Error("An authorizer does not exist.");
  const errors = "(FILL(keys, 0) + FILL(people, 0))";
  return {
    "authorizer-errors": {
      meaning: "An authorizer fails, so requests with valid keys or tokens get a 503.",
      metric: perMinute("Authorizer errors", `IF(${errors} > ${accidents} * FILL(requests, 0), ${errors}, 0)`, {
        keys: ofKeys.metricErrors(sum),
        people: ofPeople.metricErrors(sum),
        requests: api.gateway.deploymentStage.metricCount(sum),
      }),
      // Rejecting a bad key is not an error. Accidents are left out.
      above: 0,
    },
  } satisfies Record<string, Alarm>;
}

/** Below this many 401s a minute their share is ignored: one client with a wrong key can cause as many. */
const fewRefusals = 50;

function refusalAlarms(scope: Construct, api: RestApi) {
  return {
    "unauthorized-surge": {
      meaning: "More than 5 % of requests, and at least 50 a minute, get a 401.",
      metric: perMinute("401s, % of requests", `IF(unauthorized >= ${fewRefusals}, 100 * unauthorized / requests, 0)`, {
        unauthorized: accessLogCount(scope, api, unauthorizedMetric, [["status", "401"]]),
        requests: api.gateway.deploymentStage.metricCount(sum),
      }),
      // Integrations keep their keys for months, so 401s are normally rare.
      above: 5,
    },
    "throttled-requests": {
      meaning: "The stage receives more requests than its limit and responds with 429.",
      // The web ACL's 429s have another type.
      metric: accessLogCount(scope, api, "Throttled", [["error_type", "THROTTLED"]]),
      // All callers share the limit, so those refused may not be those who send too much.
      above: 0,
    },
    "function-throttles": {
      meaning: "Lambda refuses to start functions for requests, because too many run at once.",
      // The status fields are described in https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-variables-for-access-logging.html
      metric: accessLogCount(scope, api, "FunctionThrottles", [
        ["integration_status", "429"],
        ["authorizer_status", "429"],
      ]),
      // Lambda throttles only above the account's concurrency limit or its scaling rate: normally never.
      above: 0,
    },
  } satisfies Record<string, Alarm>;
}

export const unauthorizedMetric = "Unauthorized";

/** Counts access log lines with one of these values. The gateway's own metrics count all 4xx together; functions never see rejected requests. */
function accessLogCount(
  scope: Construct,
  { accessLog: logGroup }: RestApi,
  metricName: string,
  anyOf: readonly (readonly [field: string, value: string])[],
) {
  const conditions = anyOf.map(([field, value]) => FilterPattern.stringValue(`$.${field}`, "=", value));
  const filter = new MetricFilter(scope, metricName, {
    logGroup,
    filterPattern: FilterPattern.any(...conditions),
    metricNamespace: metricsNamespace(scope),
    metricName,
    // Other lines count as 0, so that graphs show a line instead of a gap.
    defaultValue: 0,
  });
  return filter.metric(sum);
}
