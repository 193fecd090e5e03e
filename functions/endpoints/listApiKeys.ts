import { apiKeyRepository } from "../data/apiKeys/apiKeyRepository.ts";
import { superAdmin } from "../http/callers/superAdmin.ts";
import { endpoint } from "../http/endpoint.ts";
import { lambda } from "../http/lambda.ts";
import { ApiKey } from "../resources/apiKey.ts";
import { PageQuery, pageOf } from "../resources/page.ts";

export const listApiKeys = endpoint(
  {
    operationId: "listApiKeys",
    method: "GET",
    path: "/admin/api-keys",
    summary: "List API keys, newest first",
    description: "Active and revoked keys, ordered by `created` descending.",
    caller: superAdmin(),
    table: ["Query", "BatchGetItem"],
    repositories: { apiKeys: apiKeyRepository },
    query: PageQuery,
    response: pageOf(ApiKey),
  },
  ({ query }, { apiKeys }) => apiKeys.list(query),
);

export const handler = lambda(listApiKeys);
