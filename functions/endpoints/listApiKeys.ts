import { superAdmin } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { ApiKey } from "../keys/apiKey.ts";
import { apiKeyRepository } from "../keys/apiKeyRepository.ts";
import { PageQuery, pageOf } from "../resources/page.ts";

export const listApiKeys = endpoint(
  {
    operationId: "listApiKeys",
    method: "GET",
    path: "/admin/api-keys",
    tag: "Key administration",
    summary: "List API keys, newest first",
    description: "Active and revoked keys, ordered by `created` descending.",
    caller: superAdmin(),
    tableAccess: "keyAdministration",
    table: ["Query", "BatchGetItem"],
    repositories: { apiKeys: apiKeyRepository },
    query: PageQuery,
    response: pageOf(ApiKey),
  },
  ({ query }, { apiKeys }) => apiKeys.list(query),
);

export const handler = lambda(listApiKeys);
