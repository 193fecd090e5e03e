import { superAdmin } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { ApiKey } from "../keys/apiKey.ts";
import { apiKeyRepository } from "../keys/apiKeyRepository.ts";
import { timeOrderedIdOf } from "../resources/fields.ts";

export const revokeApiKey = endpoint(
  {
    operationId: "revokeApiKey",
    method: "POST",
    path: "/admin/api-keys/{id}/revoke",
    summary: "Revoke an API key permanently",
    description:
      "Once this responds, every request with the key gets 401. This cannot be undone. Revoking a key again succeeds and changes nothing.",
    caller: superAdmin(),
    table: ["GetItem", "BatchGetItem", "TransactWriteItems"],
    repositories: { apiKeys: apiKeyRepository },
    params: timeOrderedIdOf("API key"),
    response: ApiKey,
  },
  ({ params, principal }, { apiKeys }) => apiKeys.revoke(params.id, principal),
);

export const handler = lambda(revokeApiKey);
