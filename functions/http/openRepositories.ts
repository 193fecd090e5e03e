import type { Table } from "../data/table/table.ts";

/** Repositories by the names that an endpoint gives them, each to be made for one organisation. */
export type Factories = Record<string, (organisationId: number, table: Table) => unknown>;

/** The same, made for one. */
export type Opened<Repositories extends Factories> = { [Name in keyof Repositories]: ReturnType<Repositories[Name]> };

/** Makes repositories for one organisation: there is no other way to the table, so nothing can be asked without one. */
export function openRepositories<Repositories extends Factories>(
  factories: Repositories | undefined,
  organisationId: number,
  table: Table,
): Opened<Repositories> {
  const opened = Object.entries(factories ?? {}).map(([name, make]) => [name, make(organisationId, table)]);
  // Nothing tells the compiler that the entries of an object are its members again.
  return Object.fromEntries(opened) as Opened<Repositories>;
}
