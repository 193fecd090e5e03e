import { keys, organisationPrefix } from "../../functions/data/table/keys.ts";
import type { Wanted } from "../table/scanTable.ts";

/** Everything in the table that is of one organisation: what its keys say it is, and its API keys as the authorizer finds them. */
export function itemsOfOrganisation(organisationId: number): Wanted {
  return {
    filter: "begins_with(PK, :organisation) OR (begins_with(PK, :hash) AND organisation_id = :id)",
    values: {
      ":organisation": organisationPrefix(organisationId),
      ":hash": keys.apiKeyHash("").PK,
      ":id": organisationId,
    },
  };
}
