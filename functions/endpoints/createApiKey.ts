import { apiKeyRepository } from "../data/repositories/apiKeyRepository.ts";
import { superAdmin } from "../http/callers/superAdmin.ts";
import { endpoint } from "../http/endpoint.ts";
import { lambda } from "../http/lambda.ts";
import { CreatedApiKey, NewApiKey } from "../resources/apiKey.ts";

export const createApiKey = endpoint(
  {
    operationId: "createApiKey",
    method: "POST",
    path: "/admin/api-keys",
    summary: "Create an API key",
    description:
      "Only this response shows the whole secret, which is not stored. If you lose the response, create another key and revoke this one.",
    caller: superAdmin(),
    table: ["TransactWriteItems"],
    repositories: { apiKeys: apiKeyRepository },
    body: NewApiKey,
    status: 201,
    response: CreatedApiKey,
    isSecret: true,
  },
  async ({ body, principal }, { apiKeys }) => {
    const { key, stored } = await apiKeys.create(body.name, body.scopes, principal);
    return CreatedApiKey.parse({ ...stored, last_used: null, key });
  },
);

export const handler = lambda(createApiKey);
