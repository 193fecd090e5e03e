import { type ProblemCode, problemCodes } from "../problem.ts";
import { problemBody, problemHeaders } from "./problemResponse.ts";
import { securityHeaders } from "./securityHeaders.ts";

/** An error that the gateway answers itself, before or instead of a function of ours. */
export interface GatewayResponse {
  code: ProblemCode;
  /** A fixed text: the gateway's own message can echo what the client sent, the token included. */
  detail: string;
  headers?: Record<string, string>;
}

/** One text for both kinds of callers: a gateway has one answer for all of its methods. */
const unauthorized = "A valid API key is needed: Authorization: Bearer <API_KEY>. Under /admin, an ID token.";
const unavailable = "The service is briefly unavailable. Try again.";
const internal = "Something went wrong on our side.";
const noSuchPath = "No such resource.";

/**
 * The gateway's error answers by API Gateway's response type
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html). The stack configures the
 * gateway with them and the local gateway answers with them, so that they have the shape of every other problem.
 *
 * A key that was refused is ACCESS_DENIED; one that is missing or malformed is UNAUTHORIZED. An authorizer that fails could not
 * ask the table, which is a matter of trying again.
 */
export const gatewayResponses = {
  UNAUTHORIZED: { code: "unauthorized", detail: unauthorized, headers: { "WWW-Authenticate": "Bearer" } },
  ACCESS_DENIED: {
    code: "unauthorized",
    detail: unauthorized,
    headers: { "WWW-Authenticate": 'Bearer error="invalid_token"' },
  },
  AUTHORIZER_FAILURE: { code: "service_unavailable", detail: unavailable },
  AUTHORIZER_CONFIGURATION_ERROR: { code: "service_unavailable", detail: unavailable },
  INTEGRATION_FAILURE: { code: "service_unavailable", detail: unavailable },
  INTEGRATION_TIMEOUT: { code: "service_unavailable", detail: unavailable },
  WAF_FILTERED: { code: "forbidden", detail: "The request looks like an attack and was refused." },
  THROTTLED: { code: "rate_limited", detail: "Too many requests. Slow down and try again." },
  QUOTA_EXCEEDED: { code: "rate_limited", detail: "Too many requests. Slow down and try again." },
  REQUEST_TOO_LARGE: { code: "payload_too_large", detail: "The request is too large." },
  UNSUPPORTED_MEDIA_TYPE: { code: "unsupported_media_type", detail: "The body's media type is not supported." },
  BAD_REQUEST_BODY: { code: "invalid_request", detail: "The request is not valid." },
  BAD_REQUEST_PARAMETERS: { code: "invalid_request", detail: "The request is not valid." },
  RESOURCE_NOT_FOUND: { code: "not_found", detail: noSuchPath },
  MISSING_AUTHENTICATION_TOKEN: { code: "not_found", detail: noSuchPath },
  EXPIRED_TOKEN: { code: "unauthorized", detail: unauthorized, headers: { "WWW-Authenticate": "Bearer" } },
  INVALID_API_KEY: { code: "unauthorized", detail: unauthorized, headers: { "WWW-Authenticate": "Bearer" } },
  INVALID_SIGNATURE: { code: "unauthorized", detail: unauthorized, headers: { "WWW-Authenticate": "Bearer" } },
  API_CONFIGURATION_ERROR: { code: "internal_error", detail: internal },
  DEFAULT_5XX: { code: "internal_error", detail: internal },
} satisfies Record<string, GatewayResponse>;

export type GatewayResponseType = keyof typeof gatewayResponses;

/** What the mock behind an unknown path answers. */
export const unknownPath: GatewayResponse = { code: "not_found", detail: noSuchPath };

/** The answer to an `Expect` header other than `100-continue` (RFC 9110, section 10.1.1). */
export const unknownExpectation: GatewayResponse = {
  code: "expectation_failed",
  detail: "The service supports no expectation but 100-continue.",
};

/** What the mock behind an undeclared method of a path answers. */
export function unknownMethod(allowed: readonly string[]): GatewayResponse {
  return {
    code: "method_not_allowed",
    detail: "This path does not have that method.",
    headers: { Allow: [...allowed].sort().join(", ") },
  };
}

/**
 * Status, headers and body of a gateway's answer.
 * @param requestId the request's id, or whatever the gateway replaces by it.
 */
export function renderGatewayResponse({ code, detail, headers }: GatewayResponse, requestId: string) {
  return {
    statusCode: problemCodes[code].status,
    headers: { ...securityHeaders, ...problemHeaders(code, requestId), ...headers },
    body: JSON.stringify(problemBody(code, detail, requestId)),
  };
}
