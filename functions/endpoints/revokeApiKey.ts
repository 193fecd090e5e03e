import { superAdmin } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { timeOrderedIdOf } from "../api/pathParameters.ts";
import { ApiKey } from "../keys/apiKey.ts";
import { apiKeyRepository } from "../keys/apiKeyRepository.ts";

export const revokeApiKey = endpoint(
  {
    operationId: "revokeApiKey",
    method: "POST",
    path: "/admin/api-keys/{id}/revoke",
    tag: "Key administration",
    summary: "Revoke an API key permanently",
    description:
      "Every request with the key gets 401 once this responds. This cannot be undone. Revoking a key again succeeds and changes nothing.",
    caller: superAdmin(),
    tableAccess: "keyAdministration",
    table: ["GetItem", "BatchGetItem", "TransactWriteItems"],
    repositories: { apiKeys: apiKeyRepository },
    params: timeOrderedIdOf("API key"),
    response: ApiKey,
  },
  ({ params, principal }, { apiKeys }) => apiKeys.revoke(params.id, principal),
);

export const handler = lambda(revokeApiKey);
