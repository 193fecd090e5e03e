import { ApiKeyPrincipal } from "../../keys/apiKeyPrincipal.ts";
import { missingScope } from "../../problem.ts";
import type { Scope } from "../../resources/scope.ts";
import type { Caller } from "./caller.ts";

/** A caller with an API key that has this scope. */
export function apiKeyHolder(scope: Scope): Caller<ApiKeyPrincipal> {
  return {
    scheme: "apiKey",
    scope,
    principal: ApiKeyPrincipal,
    logged: ({ organisationId, keyId, keyPrefix }) => ({
      organisation_id: organisationId,
      key_id: keyId,
      key_prefix: keyPrefix,
    }),
    organisationOf({ organisationId, scopes }) {
      if (!scopes.includes(scope)) throw missingScope(scope);
      return organisationId;
    },
  };
}
