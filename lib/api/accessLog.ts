import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import type { ApiKeyPrincipal } from "../../functions/keys/apiKeyPrincipal.ts";
import type { PersonPrincipal } from "../../functions/people/personPrincipal.ts";

/**
 * One JSON line per request, whether or not it reached a function. It has the route instead of the path, and no header, query or
 * address, so it contains no secrets and no personal data. The gateway writes `-` for missing values.
 */
export const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    request_id: "$context.requestId",
    // The ids of the calls in Lambda's own log lines, and the id of the trace: together they find every line of a request.
    authorizer_request_id: "$context.authorizer.requestId",
    integration_request_id: "$context.integration.requestId",
    trace_id: "$context.xrayTraceId",
    time_ms: "$context.requestTimeEpoch",
    method: "$context.httpMethod",
    route: "$context.resourcePath",
    status: "$context.status",
    latency_ms: "$context.responseLatency",
    integration_latency_ms: "$context.integrationLatency",
    authorizer_latency_ms: "$context.authorizer.latency",
    authorizer_error: "$context.authorizer.error",
    error_type: "$context.error.responseType",
    organisation_id: principal("organisationId"),
    key_prefix: principal("keyPrefix"),
    super_admin_of: principal("superAdminOf"),
    subject: principal("subject"),
  }),
);

function principal(name: keyof ApiKeyPrincipal | keyof PersonPrincipal): string {
  return `$context.authorizer.${name}`;
}
