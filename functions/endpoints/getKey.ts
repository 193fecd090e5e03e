import * as z from "zod";
import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { defaultRateLimit, type RateLimit, rateLimit, rateWindowSeconds } from "../api/rateLimit.ts";
import { Id } from "../resources/fields.ts";
import { Scope } from "../resources/scope.ts";

const rate_limit = shown(defaultRateLimit);

export const CallingKey = z
  .object({
    name: z.string().meta({ description: "Label chosen at creation." }),
    prefix: z.string().meta({ description: "First 12 characters of the key, to distinguish keys." }),
    scopes: z.array(Scope).meta({ description: "Scopes granted at creation." }),
    organisation_id: Id.meta({ description: "The organisation whose data the key reads." }),
    rate_limit: z
      .object({
        requests: z.int().meta({ description: "Requests per window with this key." }),
        organisation_requests: z.int().meta({ description: "Requests per window with all keys of the organisation." }),
        seconds: z.int().meta({ description: "Length of a window." }),
      })
      .meta({ id: "RateLimit", description: "Requests above these numbers get 429." })
      .nullable()
      .meta({ description: "How many requests are accepted; null without a limit." }),
  })
  .meta({
    id: "CallingKey",
    description: "The API key that made the request, without its secret.",
    examples: [{ name: "Nightly sync", prefix: "tsk_4fQ9wLxT", scopes: ["read"], organisation_id: 1, rate_limit }],
  });

export const getKey = endpoint(
  {
    operationId: "getKey",
    method: "GET",
    path: "/v1/key",
    tag: "Key",
    summary: "Get the calling key",
    description:
      "A good first call: it shows whether the key works, which organisation's data it reads, and its scopes.",
    caller: apiKeyHolder("read"),
    tableAccess: "organisationData",
    limits: true,
    tool: { name: "get_key", hint: "Its name, scopes, organisation and rate limit." },
    response: CallingKey,
  },
  ({ principal }) => ({
    name: principal.keyName,
    prefix: principal.keyPrefix,
    scopes: principal.scopes,
    organisation_id: principal.organisationId,
    rate_limit: shown(rateLimit()),
  }),
);

function shown(limit: RateLimit | undefined) {
  return limit ? { requests: limit.key, organisation_requests: limit.organisation, seconds: rateWindowSeconds } : null;
}

export const handler = lambda(getKey);
