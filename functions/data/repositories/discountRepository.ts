import { Discount } from "../../resources/discount.ts";
import { keys, lists } from "../table/keys.ts";
import { childLists, getRow } from "../table/rows.ts";
import type { Table } from "../table/table.ts";

/** One organisation's discounts. */
export function discountRepository(organisationId: number, table: Table) {
  const childList = childLists(organisationId, table, Discount);
  return {
    get: (id: number) => getRow(table, Discount, keys.discount(organisationId, id), "discount"),
    listOfEvent: childList(lists.eventDiscounts, "event"),
  };
}
