import { Discount } from "../resources/discount.ts";
import { keys, lists } from "./keys.ts";
import { childLists, getRow } from "./read.ts";
import type { Table } from "./table.ts";

/** One organisation's discounts. */
export function discountRepository(organisationId: number, table: Table) {
  const childList = childLists(organisationId, table, Discount);
  return {
    get: (id: number) => getRow(table, Discount, keys.discount(organisationId, id), "discount"),
    listOfEvent: childList(lists.eventDiscounts, "event"),
  };
}
