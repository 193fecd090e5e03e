import { superAdmin } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { timeOrderedIdOf } from "../api/pathParameters.ts";
import { KeyUsage, UsageQuery } from "../keys/keyUsage.ts";
import { keyUsageRepository } from "../keys/keyUsageRepository.ts";

export const getApiKeyUsage = endpoint(
  {
    operationId: "getApiKeyUsage",
    method: "GET",
    path: "/admin/api-keys/{id}/usage",
    tag: "Key administration",
    summary: "Get the usage of an API key by day",
    description:
      "Counts the requests that reached an operation, and in `refused` those that got 401 because the key was revoked or the organisation suspended. Other requests that the gateway refused are not counted.",
    caller: superAdmin(),
    tableAccess: "keyAdministration",
    table: ["GetItem", "Query"],
    repositories: { usage: keyUsageRepository },
    params: timeOrderedIdOf("API key"),
    query: UsageQuery,
    response: KeyUsage,
  },
  ({ params, query }, { usage }) => usage.usage(params.id, query.days),
);

export const handler = lambda(getApiKeyUsage);
