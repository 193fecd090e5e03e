import { eventRepository } from "./eventRepository.ts";
import type { Table } from "./table.ts";

export type Repositories = ReturnType<typeof repositoriesOf>;

/** What one organisation has in the table. Nothing here can be asked without an organisation. */
export function repositoriesOf(organisationId: number, table: Table) {
  return {
    events: eventRepository(organisationId, table),
  };
}
