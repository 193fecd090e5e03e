import type { Table } from "../data/table/table.ts";

/** Functions that create an endpoint's repositories for one organisation, by the endpoint's names for them. */
export type Factories = Record<string, (organisationId: number, table: Table) => unknown>;

/** The repositories that the factories create. */
export type Opened<Repositories extends Factories> = { [Name in keyof Repositories]: ReturnType<Repositories[Name]> };

/** Creates repositories for one organisation. Endpoints have no other access to the table, so every query has an organisation. */
export function openRepositories<Repositories extends Factories>(
  factories: Repositories | undefined,
  organisationId: number,
  table: Table,
): Opened<Repositories> {
  const opened = Object.entries(factories ?? {}).map(([name, make]) => [name, make(organisationId, table)]);
  // Object.fromEntries loses the types of the single members.
  return Object.fromEntries(opened) as Opened<Repositories>;
}
