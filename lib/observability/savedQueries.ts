import { Stack } from "aws-cdk-lib";
import { CfnQueryDefinition } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import type { RestApi } from "../api/restApi.ts";

/** The form of an X-Ray trace id, which the gateway's, the functions' and Lambda's own lines have in different fields. */
const trace = "parse @message /(?<trace>1-[0-9a-f]{8}-[0-9a-f]{24})/";

/**
 * Saves the query for all lines of a request. Lambda's lines of a crash or a timeout, and the authorizers' lines, do not have the gateway's
 * request id. All lines have the trace's, so the query looks it up in the access log.
 */
export function addSavedQueries(scope: Construct, { accessLog, requestLog }: RestApi): void {
  const fields = [
    "@timestamp",
    ...["type", "message", "operation_id", "route", "status", "outcome", "error_type", "record.status"],
    ...["duration_ms", "error.name", "error.message", "record.metrics.durationMs"],
  ];
  const groups = [accessLog.logGroupName, requestLog.logGroupName];
  new CfnQueryDefinition(scope, "RequestQuery", {
    name: `${Stack.of(scope).stackName}/request`,
    logGroupNames: groups,
    queryString: [
      trace,
      `| filter trace in (SOURCE '${accessLog.logGroupName}' | ${trace} | filter request_id = "REQUEST_ID" | fields trace)`,
      "| sort @timestamp",
      `| display ${fields.join(", ")}`,
    ].join("\n"),
  });
}
