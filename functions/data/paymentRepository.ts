import { Payment } from "../resources/payment.ts";
import { keys } from "./keys.ts";
import { getRow } from "./read.ts";
import type { Table } from "./table.ts";

/** One organisation's payments, by id. */
export function paymentRepository(organisationId: number, table: Table) {
  return { get: (id: number) => getRow(table, Payment, keys.payment(organisationId, id), "payment") };
}
