import type * as z from "zod";
import { ApiKeyPrincipal } from "../keys/apiKeyPrincipal.ts";
import { PersonPrincipal } from "../people/personPrincipal.ts";
import { missingScope, superAdminsOnly } from "../problem.ts";
import type { Scope } from "../resources/scope.ts";

export interface Caller<Principal> {
  scheme: "apiKey" | "superAdmin";
  scope?: Scope;
  /** Parses the context that the authorizer returned. */
  principal: z.ZodType<Principal>;
  /** The part of the principal that may be logged; it is in the log line of every request. */
  logged: (principal: Principal) => Record<string, unknown>;
  /**
   * The organisation whose data the caller gets.
   * @throws Problem `forbidden` if the caller lacks permission. Check this before any read: the response must not reveal what exists.
   */
  organisationOf: (principal: Principal) => number;
}

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

export function superAdmin(): Caller<PersonPrincipal> {
  return {
    scheme: "superAdmin",
    principal: PersonPrincipal,
    logged: ({ superAdminOf, subject }) => ({ organisation_id: superAdminOf, subject }),
    organisationOf({ superAdminOf }) {
      if (superAdminOf === undefined) throw superAdminsOnly();
      return superAdminOf;
    },
  };
}
