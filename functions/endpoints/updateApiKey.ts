import { superAdmin } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { timeOrderedIdOf } from "../api/pathParameters.ts";
import { ApiKey, ApiKeyUpdate } from "../keys/apiKey.ts";
import { apiKeyRepository } from "../keys/apiKeyRepository.ts";

export const updateApiKey = endpoint(
  {
    operationId: "updateApiKey",
    method: "PATCH",
    path: "/admin/api-keys/{id}",
    tag: "Key administration",
    summary: "Rename an API key",
    description: "The key itself, its scopes and its users are not affected. A revoked key can be renamed too.",
    caller: superAdmin(),
    tableAccess: "keyAdministration",
    table: ["GetItem", "BatchGetItem", "TransactWriteItems"],
    repositories: { apiKeys: apiKeyRepository },
    params: timeOrderedIdOf("API key"),
    body: ApiKeyUpdate,
    response: ApiKey,
  },
  ({ params, body, principal }, { apiKeys }) => apiKeys.rename(params.id, body.name, principal),
);

export const handler = lambda(updateApiKey);
