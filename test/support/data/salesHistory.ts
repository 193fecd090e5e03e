import fc from "fast-check";
import { type RecordItem, recordItem } from "../../../functions/records/recordItem.ts";
import { summaryRepository } from "../../../functions/summaries/summaryRepository.ts";
import type { Item } from "../../../functions/table/item.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { openTable } from "../../../functions/table/table.ts";
import { dateRecord, eventRecord } from "./records.ts";
import { countedItem, recount } from "./recount.ts";

const events = [1, 2];
const dates = [1, 2];
const euros = { currency: "EUR", currency_symbol: "€" };
const unknown = { currency: null, currency_symbol: null };
/** The event's currency is known by code, by symbol or not at all. */
const eventCurrencies = [euros, unknown, { currency: null, currency_symbol: "$" }];

/** A new, changed or deleted item, for a given organisation. */
type Upsert = (organisationId: number) => RecordItem;

const id = fc.constantFrom(1, 2);
const pence = fc.integer({ min: 1, max: 9 });
const parents = { event_id: fc.constantFrom(...events), date_id: fc.constantFrom(...dates) };
const type = fc.constantFrom("payment", "refund");

const currency = fc.constantFrom(euros, { currency: "JPY", currency_symbol: "¥" }, ...eventCurrencies);
/** Order 3 never exists. */
const order_id = fc.constantFrom(1, 2, 3);

/** Uses few ids, so that many items change, change back, are deleted, and move between orders, events and dates. */
export const upsert: fc.Arbitrary<Upsert> = fc.oneof(
  {
    weight: 2,
    arbitrary: upsertOf(
      countedItem.order,
      fc
        .record({
          ...parents,
          status: fc.constantFrom("pending", "paid", "cancelled", "expired", "refunded"),
          discount_total: pence,
          fee_total: pence,
        })
        .chain((fields) => currency.map((one) => ({ ...fields, ...one }))),
    ),
  },
  {
    weight: 2,
    arbitrary: upsertOf(
      countedItem.ticket,
      fc.record({
        ...parents,
        order_id,
        ticket_category_id: fc.constantFrom(1, 2),
        status: fc.constantFrom("valid", "valid", "void", "refunded"),
        price: pence,
        original_price: pence,
        checked_in: fc.boolean(),
      }),
    ),
  },
  upsertOf(
    countedItem.payment,
    fc.record({
      ...parents,
      order_id: fc.option(order_id),
      date_id: fc.option(parents.date_id),
      type,
      status: fc.constantFrom("pending", "confirmed"),
      amount: pence,
      currency: fc.option(fc.constantFrom("EUR", "JPY")),
    }),
  ),
  upsertOf(
    countedItem.balancePayment,
    fc
      .record({ event_id: parents.event_id, type, amount: pence })
      .chain((fields) => currency.map((one) => ({ ...fields, ...one }))),
  ),
  upsertOf(countedItem.category, fc.record({ event_id: parents.event_id, people: fc.integer({ min: 0, max: 4 }) })),
  upsertOf(
    (organisationId, number, kind) => ({
      ...itemKeys[kind](organisationId, number),
      record_version: undefined,
      content_hash: "deleted",
      deleted: true,
    }),
    // A deleted category's people depend on what was last counted.
    fc.constantFrom("order", "ticket", "payment"),
  ),
);

function upsertOf<Fields>(
  make: (organisationId: number, id: number, fields: Fields) => RecordItem,
  fields: fc.Arbitrary<Fields>,
): fc.Arbitrary<Upsert> {
  return fc.tuple(id, fields).map(
    ([number, drawn]) =>
      (organisationId: number) =>
        make(organisationId, number, drawn),
  );
}

/** The events and dates to which the items of a history belong. */
export function parentItems(organisationId: number): RecordItem[] {
  return [
    ...events.map((event) =>
      eventRecord(organisationId, event, eventCurrencies[(organisationId + event) % eventCurrencies.length]),
    ),
    ...dates.map((date) => dateRecord(organisationId, date, date)),
  ].map(recordItem);
}

/** The summaries of all events and dates: as the repository returns them, and recounted from the items. */
export async function compareSummaries(organisationId: number, items: Item[]) {
  const summaries = summaryRepository(organisationId, openTable());
  const shown = await Promise.all([
    ...events.map((event) => summaries.getEventSummary(event)),
    ...dates.map((date) => summaries.getDateSummary(date)),
  ]);
  return {
    shown: shown.map(({ date_generated: _, ...summary }) => summary),
    recounted: shown.map(({ event_id, date_id }) => recount(items, event_id, date_id)),
  };
}
