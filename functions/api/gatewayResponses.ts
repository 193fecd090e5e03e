import { Problem, type ProblemCode } from "../problem.ts";
import { tooLarge } from "./parseRequest.ts";
import { problemResponse } from "./problemResponse.ts";

/** Larger bodies are compressed for clients that accept it. */
export const minimumCompressionBytes = 1024;

/** An error that the gateway returns itself, without calling an endpoint's function. */
export interface GatewayResponse {
  code: ProblemCode;
  /** A fixed text: the gateway's own message can repeat the client's input, including the token. */
  detail: string;
  headers?: Record<string, string>;
}

/** RFC 6750, section 3, requires a parameter, without which strict clients reject the whole response. */
const challenge = 'Bearer realm="ticketing"';

/** Must suit both kinds of callers: the gateway has one response for all of its methods. */
const unauthorized = "A valid bearer token is required: an API key, or a super-admin's ID token.";
const unavailable = "The service is temporarily unavailable. Retry later.";
const internal = "Something went wrong on our side.";
const noSuchPath = "No such path. Paths are in lower case, without a slash at the end and without double slashes.";

/**
 * The gateway's error responses by API Gateway's response type
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html). The deployed and the local
 * gateway return them, so that gateway errors have the shape of every other problem.
 *
 * A refused key is ACCESS_DENIED; a missing or malformed one is UNAUTHORIZED. An authorizer that fails could not read the table or
 * reach the identity provider, so the client may retry.
 */
export const gatewayResponses = {
  UNAUTHORIZED: { code: "unauthorized", detail: unauthorized, headers: { "WWW-Authenticate": challenge } },
  ACCESS_DENIED: {
    code: "unauthorized",
    detail: unauthorized,
    headers: { "WWW-Authenticate": `${challenge}, error="invalid_token"` },
  },
  AUTHORIZER_FAILURE: { code: "service_unavailable", detail: unavailable },
  AUTHORIZER_CONFIGURATION_ERROR: { code: "service_unavailable", detail: unavailable },
  INTEGRATION_FAILURE: { code: "service_unavailable", detail: unavailable },
  INTEGRATION_TIMEOUT: { code: "service_unavailable", detail: unavailable },
  WAF_FILTERED: { code: "forbidden", detail: "The request was blocked because it looks like an attack." },
  THROTTLED: { code: "rate_limited", detail: "Too many requests. Slow down and retry." },
  REQUEST_TOO_LARGE: { code: "payload_too_large", detail: tooLarge },
  UNSUPPORTED_MEDIA_TYPE: { code: "unsupported_media_type", detail: "The body's media type is not supported." },
  BAD_REQUEST_BODY: { code: "invalid_request", detail: "The request is invalid." },
  BAD_REQUEST_PARAMETERS: { code: "invalid_request", detail: "The request is invalid." },
  RESOURCE_NOT_FOUND: { code: "not_found", detail: noSuchPath },
  MISSING_AUTHENTICATION_TOKEN: { code: "not_found", detail: noSuchPath },
  EXPIRED_TOKEN: { code: "unauthorized", detail: unauthorized, headers: { "WWW-Authenticate": challenge } },
  INVALID_SIGNATURE: { code: "unauthorized", detail: unauthorized, headers: { "WWW-Authenticate": challenge } },
  API_CONFIGURATION_ERROR: { code: "internal_error", detail: internal },
  DEFAULT_5XX: { code: "internal_error", detail: internal },
} satisfies Record<string, GatewayResponse>;

export const unknownPath: GatewayResponse = { code: "not_found", detail: noSuchPath };

/** The response to an `Expect` header other than `100-continue` (RFC 9110, section 10.1.1). */
export const unknownExpectation: GatewayResponse = {
  code: "expectation_failed",
  detail: "The only supported Expect value is 100-continue.",
};

export function unknownMethod(allowed: readonly string[]): GatewayResponse {
  return {
    code: "method_not_allowed",
    detail: "This path does not support that method.",
    headers: { Allow: [...allowed].sort().join(", ") },
  };
}

/** @param requestId the request's id, or the placeholder that the gateway replaces with it. */
export function renderGatewayResponse({ code, detail, headers }: GatewayResponse, requestId: string) {
  return problemResponse(new Problem(code, detail, {}, { headers }), requestId);
}
