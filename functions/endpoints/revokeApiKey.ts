import { superAdmin } from "../api/callers.ts";
import { endpoint, optionalBody } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { timeOrderedIdOf } from "../api/pathParameters.ts";
import { ApiKey, Revocation, revokedAlready } from "../keys/apiKey.ts";
import { apiKeyRepository } from "../keys/apiKeyRepository.ts";

export const revokeApiKey = endpoint(
  {
    operationId: "revokeApiKey",
    method: "POST",
    path: "/admin/api-keys/{id}/revoke",
    tag: "Key administration",
    summary: "Revoke an API key permanently, now or at a time",
    description:
      "Without a body, every request with the key gets 401 once this responds. This cannot be undone. Revoking a key again succeeds and changes nothing. With `at`, the key gets 401 from that time on. Until then, another `at` moves the revocation, and null withdraws it.",
    caller: superAdmin(),
    reach: "keyAdministration",
    table: ["GetItem", "BatchGetItem", "TransactWriteItems"],
    repositories: { apiKeys: apiKeyRepository },
    params: timeOrderedIdOf("API key"),
    ...optionalBody(Revocation),
    response: ApiKey,
    conflict: revokedAlready,
  },
  ({ params, body: { at }, principal }, { apiKeys }) =>
    at === undefined ? apiKeys.revoke(params.id, principal) : apiKeys.planRevocation(params.id, at, principal),
);

export const handler = lambda(revokeApiKey);
