import { apiKeyHolder } from "../api/callers/apiKeyHolder.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { CallingKey } from "../resources/callingKey.ts";

export const getKey = endpoint(
  {
    operationId: "getKey",
    method: "GET",
    path: "/v1/key",
    summary: "Get the calling key",
    description:
      "A good first call: it shows whether the key works, which organisation's data it reads, and its scopes.",
    caller: apiKeyHolder("read"),
    response: CallingKey,
  },
  ({ principal }) => ({
    name: principal.keyName,
    prefix: principal.keyPrefix,
    scopes: principal.scopes,
    organisation_id: principal.organisationId,
  }),
);

export const handler = lambda(getKey);
