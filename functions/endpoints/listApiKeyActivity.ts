import { superAdmin } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { ApiKeyActivity } from "../keys/apiKey.ts";
import { apiKeyRepository } from "../keys/apiKeyRepository.ts";
import { PageQuery, pageOf } from "../resources/page.ts";

export const listApiKeyActivity = endpoint(
  {
    operationId: "listApiKeyActivity",
    method: "GET",
    path: "/admin/api-key-activity",
    tag: "Key administration",
    summary: "List what was done to API keys, newest first",
    description: "The audit trail of the organisation's keys, ordered by `time` descending. Entries are never changed.",
    caller: superAdmin(),
    reach: "keyAdministration",
    table: ["Query"],
    repositories: { apiKeys: apiKeyRepository },
    query: PageQuery,
    response: pageOf(ApiKeyActivity),
  },
  ({ query }, { apiKeys }) => apiKeys.listActivity(query),
);

export const handler = lambda(listApiKeyActivity);
