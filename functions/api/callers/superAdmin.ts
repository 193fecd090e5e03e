import { PersonPrincipal } from "../../people/personPrincipal.ts";
import { superAdminsOnly } from "../../problem.ts";
import type { Caller } from "./caller.ts";

/** A super-admin of an organisation. */
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
