import { apiKeyRepository } from "./apiKeyRepository.ts";
import type { Table } from "./table.ts";

export type KeyAdministration = ReturnType<typeof keyAdministrationOf>;

/** What super-admins may see and do of one organisation. Nothing else of it is within their endpoints' reach. */
export function keyAdministrationOf(organisationId: number, table: Table) {
  return { apiKeys: apiKeyRepository(organisationId, table) };
}
