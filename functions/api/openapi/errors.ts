import * as z from "zod";
import {
  cursorExpired,
  idempotencyMismatch,
  maximumErrors,
  missingScope,
  Problem,
  type ProblemCode,
  type ProblemMembers,
  preconditionFailed,
  problemCodes,
  serviceUnavailable,
  superAdminsOnly,
} from "../../problem.ts";
import { deletionsMissing, deletionsShownDays } from "../../records/recordItem.ts";
import { Scope } from "../../resources/scope.ts";
import { bodyOf, type Endpoint } from "../endpoint.ts";
import { gatewayResponses, unknownMethod } from "../gatewayResponses.ts";
import { parseBody, parseParams, parseQuery, tooLarge } from "../parseRequest.ts";
import { toProblem } from "../problemResponse.ts";

const InvalidValue = z
  .object({
    parameter: z.string().optional().meta({ description: "Name of the invalid query parameter or header." }),
    pointer: z.string().optional().meta({ description: "JSON pointer (RFC 6901) to the invalid member of the body." }),
    detail: z.string().meta({ description: "Why the value is invalid, for the client's developer." }),
  })
  .meta({ id: "InvalidValue", description: "One invalid value, identified by `parameter` or `pointer`." });

/** The body of every error (RFC 9457), as `problemBody` returns it. */
export const ProblemBody = z
  .object({
    type: z.literal("about:blank").meta({ description: "Always `about:blank`; use `code` to distinguish errors." }),
    title: z.string().meta({ description: "Name of the HTTP status." }),
    status: z.int().min(400).max(599).meta({ description: "The HTTP status." }),
    code: z.enum(Object.keys(problemCodes)).meta({ description: "The kind of error. Stable, for programs." }),
    detail: z.string().meta({ description: "The cause, for the client's developer. The wording may change." }),
    errors: z
      .array(InvalidValue)
      .max(maximumErrors)
      .optional()
      .meta({ description: `Only with \`invalid_request\`: the first ${maximumErrors} invalid values.` }),
    more_errors: z.int().positive().optional().meta({ description: "Number of further invalid values, if any." }),
    required_scope: Scope.optional().meta({ description: "Only with `forbidden`: the scope that the key lacks." }),
    key_id: z.string().optional().meta({
      description:
        "Only with `conflict` from `createApiKey`: the key that an earlier request with this `Idempotency-Key` created.",
    }),
    request_id: z.string().meta({ description: "Quote this id when you ask for help. Also in `X-Request-Id`." }),
  })
  .meta({ id: "Problem", description: "An error, as RFC 9457 problem details." });

export interface EndpointError {
  code: ProblemCode;
  when: string;
  /** An example, taken from the code that returns the error. */
  detail: string;
  members?: ProblemMembers;
  headers?: Record<string, string>;
}

/** Every error that the endpoint or its gateway can return, ordered by status. @param methods all methods of the endpoint's path. */
export function errorsOf(endpoint: Endpoint, methods: readonly string[]): EndpointError[] {
  const { params, query = z.object({}), headers, conflict, refusal, responseHeaders } = endpoint;
  const { scope } = endpoint.caller;
  const body = bodyOf(endpoint);
  const errors: (EndpointError | false | undefined)[] = [
    {
      when: "`errors` names the invalid values.",
      ...thrownBy(() => (body ? parseBody(body, { ...json, text: "[]" }) : parseQuery(query, { per_page: ["0"] }))),
    },
    {
      when: scope
        ? "The API key is missing, malformed, unknown or revoked."
        : "The ID token is missing, expired or invalid.",
      ...gatewayResponses.ACCESS_DENIED,
    },
    scope === undefined && {
      when: "The person is signed in but is not a super-admin.",
      ...fieldsOf(superAdminsOnly()),
    },
    scope !== undefined &&
      scope !== "read" && {
        when: `The key lacks the scope \`${scope}\`.`,
        ...fieldsOf(missingScope(scope)),
      },
    params !== undefined && {
      when: "The resource is unknown or belongs to another organisation.",
      ...thrownBy(() => parseParams(params, Object.fromEntries(Object.keys(params.shape).map((name) => [name, "0"])))),
    },
    {
      when: "The path does not support this method. `Allow` lists the methods that it supports.",
      ...unknownMethod(methods),
    },
    conflict !== undefined && {
      when: conflict,
      ...fieldsOf(new Problem("conflict", conflict)),
      ...(responseHeaders?.includes("Idempotency-Replayed") && { headers: { "Idempotency-Replayed": "true" } }),
    },
    "changed_since" in query.shape && {
      when: `The \`cursor\` or \`changed_since\` is older than ${deletionsShownDays} days, so deletions may be missing.`,
      ...fieldsOf(cursorExpired(deletionsMissing)),
    },
    hasHeader(headers, "if-match") && {
      when: "`If-Match` does not match the current `ETag`, or `If-None-Match` does.",
      ...fieldsOf(preconditionFailed()),
    },
    body && { when: tooLarge, ...gatewayResponses.REQUEST_TOO_LARGE },
    body && {
      when: "The `Content-Type` is not `application/json`, its charset is not UTF-8, or the body has a `Content-Encoding`.",
      ...thrownBy(() => parseBody(body, { contentType: "text/plain", text: "" })),
    },
    refusal && { when: refusal.when, ...fieldsOf(refusal.problem) },
    hasHeader(headers, "idempotency-key") && {
      when: "The `Idempotency-Key` was already used for a different request.",
      ...fieldsOf(idempotencyMismatch()),
    },
    { when: "Too many requests. Wait for the seconds in `Retry-After`.", ...gatewayResponses.THROTTLED },
    {
      when: hasHeader(headers, "idempotency-key")
        ? "An unexpected error in the service or, without an `Idempotency-Key`, an outage. The change may have been made: look for it before you send the request again."
        : "An unexpected error in the service.",
      ...fieldsOf(toProblem(undefined)),
    },
    {
      when: "The service is temporarily unavailable. Wait for the seconds in `Retry-After`.",
      ...fieldsOf(serviceUnavailable(undefined)),
    },
  ];
  return errors.filter((error) => typeof error === "object");
}

function hasHeader(headers: z.ZodObject | undefined, name: string): boolean {
  return headers !== undefined && name in headers.shape;
}

const json = { contentType: "application/json" };

function thrownBy(parse: () => unknown) {
  try {
    parse();
  } catch (error) {
    return fieldsOf(toProblem(error));
  }
  throw new Error("This request should be invalid.");
}

function fieldsOf({ code, message, members }: Problem) {
  return { code, detail: message, members };
}
