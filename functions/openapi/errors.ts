import * as z from "zod";
import type { Endpoint } from "../http/endpoint.ts";
import { gatewayResponses, unknownMethod } from "../http/gatewayResponses.ts";
import { parseBody, parseParams, parseQuery } from "../http/parseRequest.ts";
import { maximumErrors } from "../http/problemResponse.ts";
import {
  idempotencyMismatch,
  missingScope,
  Problem,
  type ProblemCode,
  type ProblemMembers,
  preconditionFailed,
  problemCodes,
  serviceUnavailable,
  superAdminsOnly,
  toProblem,
} from "../problem.ts";
import { Scope } from "../resources/scope.ts";

const InvalidValue = z
  .object({
    parameter: z.string().optional().meta({ description: "Name of the query parameter at fault." }),
    pointer: z.string().optional().meta({ description: "JSON pointer (RFC 6901) to the body's member at fault." }),
    detail: z.string().meta({ description: "What is wrong with it, for the client's developer." }),
  })
  .meta({ id: "InvalidValue", description: "One value at fault: a `parameter` or a `pointer`." });

/** The body of every error (RFC 9457), as `problemBody` makes it. */
export const ProblemBody = z
  .object({
    type: z.literal("about:blank").meta({ description: "Always `about:blank`: `code` tells errors apart." }),
    title: z.string().meta({ description: "The status in words." }),
    status: z.int().min(400).max(599).meta({ description: "The HTTP status." }),
    code: z.enum(Object.keys(problemCodes)).meta({ description: "The kind of error, for programs." }),
    detail: z.string().meta({ description: "What went wrong, for the client's developer. Its wording may change." }),
    errors: z
      .array(InvalidValue)
      .max(maximumErrors)
      .optional()
      .meta({ description: `Only with \`invalid_request\`: the first ${maximumErrors} values at fault.` }),
    more_errors: z.int().positive().optional().meta({ description: "How many more values are at fault, if any." }),
    required_scope: Scope.optional().meta({ description: "Only with `forbidden`: the scope that the key lacks." }),
    request_id: z.string().meta({ description: "Names this request when asking for help; also in `X-Request-Id`." }),
  })
  .meta({ id: "Problem", description: "An error: problem details of RFC 9457." });

/** An error that an endpoint can give. */
export interface EndpointError {
  code: ProblemCode;
  /** When it is given. */
  when: string;
  /** One such error, as the code that gives it words it. */
  detail: string;
  members?: ProblemMembers;
  /** Headers beyond those of every error. */
  headers?: Record<string, string>;
}

/**
 * Every error that the endpoint or the gateway before it can give, in the order of their statuses.
 * @param methods all methods of the endpoint's path.
 */
export function errorsOf(
  { params, query = z.object({}), headers, body, caller, conflict }: Endpoint,
  methods: readonly string[],
): EndpointError[] {
  const { scope } = caller;
  const errors: (EndpointError | false | undefined)[] = [
    {
      when: "`errors` names what is at fault.",
      ...thrownBy(() => (body ? parseBody(body, { ...json, text: "[]" }) : parseQuery(query, { per_page: ["500"] }))),
    },
    {
      when: scope ? "Key missing, malformed, unknown or revoked." : "ID token missing, expired or not valid.",
      ...gatewayResponses.ACCESS_DENIED,
    },
    scope === undefined && {
      when: "Signed in, and not a super-admin.",
      ...told(superAdminsOnly()),
    },
    scope !== undefined &&
      scope !== "read" && {
        when: `The key lacks the scope \`${scope}\`.`,
        ...told(missingScope(scope)),
      },
    params !== undefined && {
      when: "Unknown, or of another organisation.",
      ...thrownBy(() => parseParams(params, Object.fromEntries(Object.keys(params.shape).map((name) => [name, "0"])))),
    },
    { when: "Another method; `Allow` names those there are.", ...unknownMethod(methods) },
    conflict !== undefined && {
      when: conflict,
      ...told(new Problem("conflict", conflict)),
      ...(hasHeader(headers, "idempotency-key") && { headers: { "Idempotency-Replayed": "true" } }),
    },
    hasHeader(headers, "if-match") && {
      when: "`If-Match` names another state than the one there is.",
      ...told(preconditionFailed()),
    },
    body && { when: "A body of 10 MB or more.", ...gatewayResponses.REQUEST_TOO_LARGE },
    body && {
      when: "The body is not said to be JSON.",
      ...thrownBy(() => parseBody(body, { contentType: "text/plain", text: "" })),
    },
    hasHeader(headers, "idempotency-key") && {
      when: "The `Idempotency-Key` was used for another request.",
      ...told(idempotencyMismatch()),
    },
    { when: "Too many requests: wait for `Retry-After`.", ...gatewayResponses.THROTTLED },
    { when: "A fault of the service.", ...told(toProblem(undefined)) },
    { when: "Wait for `Retry-After`.", ...told(serviceUnavailable(undefined)) },
  ];
  return errors.filter((error) => typeof error === "object");
}

function hasHeader(headers: z.ZodObject | undefined, name: string): boolean {
  return headers !== undefined && name in headers.shape;
}

const json = { contentType: "application/json" };

/** The problem that a request gets which is not valid. */
function thrownBy(parse: () => unknown) {
  try {
    parse();
  } catch (error) {
    return told(toProblem(error));
  }
  throw new Error("This request should not be valid.");
}

function told({ code, message, members }: Problem) {
  return { code, detail: message, members };
}
