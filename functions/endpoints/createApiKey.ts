import * as z from "zod";
import { superAdmin } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { ApiKeyInput, CreatedApiKey, noNewKeys } from "../keys/apiKey.ts";
import { apiKeyRepository } from "../keys/apiKeyRepository.ts";
import { text } from "../resources/fields.ts";

const CreationHeaders = z.object({
  "idempotency-key": text(1, 255)
    .optional()
    .meta({
      description:
        "A unique text for each new key. A retry with it within 24 hours creates no second key; it gets 409 with the first key's id in `key_id`.",
      examples: ["0c6d3f0e-7f3b-4b1e-9a56-2f4f3c1d8e70"],
    }),
});

export const createApiKey = endpoint(
  {
    operationId: "createApiKey",
    method: "POST",
    path: "/admin/api-keys",
    tag: "Key administration",
    summary: "Create an API key",
    description:
      "Only this response shows the whole secret; the service stores only a hash of it. Always send an `Idempotency-Key`, because your HTTP library may repeat the request even if your program does not. If the response is lost, a retry with the same `Idempotency-Key` gets 409 with the API key's id in `key_id`. Revoke that API key, and create another with a new `Idempotency-Key`.",
    caller: superAdmin(),
    tableAccess: "keyAdministration",
    table: ["GetItem", "TransactWriteItems"],
    repositories: { apiKeys: apiKeyRepository },
    headers: CreationHeaders,
    body: ApiKeyInput,
    status: 201,
    response: CreatedApiKey,
    conflict: noNewKeys,
    isSecret: true,
  },
  async ({ body: { name, scopes }, headers, principal }, { apiKeys }) => {
    const { key, stored } = await apiKeys.create(name, scopes, principal, headers["idempotency-key"]);
    return CreatedApiKey.parse({ ...stored, suspended: false, last_used: null, key });
  },
);

export const handler = lambda(createApiKey);
