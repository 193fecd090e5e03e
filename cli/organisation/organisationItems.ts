import { keys, organisationPrefix } from "../../functions/table/keys.ts";
import type { Wanted } from "../table/scanTable.ts";

/** All of one organisation's items: those in its own partitions, and the hashes of its API keys. */
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
