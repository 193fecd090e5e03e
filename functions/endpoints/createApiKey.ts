import * as z from "zod";
import { superAdmin } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { Reply } from "../api/response.ts";
import { CreatedApiKey, NewApiKey } from "../keys/apiKey.ts";
import { apiKeyRepository, noNewKeys } from "../keys/apiKeyRepository.ts";

/**
 * Version 4 or 7 (RFC 9562), because it encrypts a secret: others, such as the nil UUID, can be guessed. Without a format, because
 * openapi-python-client cannot send a header with one.
 */
const randomUuid = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[47][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$/;

const CreationKey = z.string().regex(randomUuid, "Must be a random UUID of version 4 or 7.").optional().meta({
  description:
    "A random UUID for each new key. The same request with it within 24 hours gets the same response, with `Idempotency-Replayed: true`. It also encrypts the secret for that time, so treat it as a secret.",
});

export const createApiKey = endpoint(
  {
    operationId: "createApiKey",
    method: "POST",
    path: "/admin/api-keys",
    summary: "Create an API key",
    description:
      "Only this response shows the whole secret. Send an `Idempotency-Key`: if the response is lost, the same request returns the same key again.",
    caller: superAdmin(),
    table: ["GetItem", "TransactWriteItems"],
    repositories: { apiKeys: apiKeyRepository },
    headers: z.object({ "idempotency-key": CreationKey }),
    body: NewApiKey,
    status: 201,
    response: CreatedApiKey,
    responseHeaders: ["Idempotency-Replayed"],
    conflict: noNewKeys,
    isSecret: true,
  },
  async ({ body: { name, scopes, replaces, revokes_at }, headers, principal }, { apiKeys }) => {
    const options = { replaces, revokes_at, idempotencyKey: headers["idempotency-key"] };
    const { key, stored, isReplayed } = await apiKeys.create(name, scopes, principal, options);
    const created = CreatedApiKey.parse({ ...stored, last_used: null, key });
    return new Reply(created, isReplayed ? { "Idempotency-Replayed": "true" } : {});
  },
);

export const handler = lambda(createApiKey);
