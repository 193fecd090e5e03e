import { Discount } from "../resources/discount.ts";
import { keys } from "./keys.ts";
import { getRow } from "./read.ts";
import type { Table } from "./table.ts";

/** One organisation's discounts, by id. */
export function discountRepository(organisationId: number, table: Table) {
  return { get: (id: number) => getRow(table, Discount, keys.discount(organisationId, id), "discount") };
}
