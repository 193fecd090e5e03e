import { notFound } from "../problem.ts";
import { Event } from "../resources/event.ts";
import { EventDate } from "../resources/eventDate.ts";
import { storedForm } from "../resources/resource.ts";
import { itemKeys } from "../table/itemKeys.ts";
import { type List, partitions } from "../table/lists.ts";
import { getItem, listAllItems } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import type { Summary } from "./summary.ts";
import { extraPeopleIn, summaryOf } from "./summaryOf.ts";
import { type CategoryCounters, countersOfRow, extraPeopleAttributes } from "./summaryRows.ts";

const SummarisedEvent = storedForm(Event.pick({ currency_symbol: true, currency: true, date_created: true }));
const SummarisedDate = storedForm(EventDate.pick({ event_id: true }));

export function summaryRepository(organisationId: number, table: Table) {
  const readEvent = (id: number, attributes?: readonly string[]) =>
    Promise.all([
      getItem(table, itemKeys.event(organisationId, id)),
      readRows(table, partitions.eventSummary(organisationId, id), attributes),
    ]);

  /** Reads the date, then its event, which has the currency and the people per ticket. */
  const readDate = async (id: number) => {
    const date = await getItem(table, itemKeys.event_date(organisationId, id));
    if (!date) throw notFound("date");
    const { event_id } = SummarisedDate.parse(date);
    const [event = {}, rowsOfEvent] = await readEvent(event_id, extraPeopleAttributes);
    return { event_id, event: SummarisedEvent.parse(event), extraPeople: extraPeopleIn(rowsOfEvent) };
  };

  return {
    /** @throws Problem `not_found` */
    async getEventSummary(id: number): Promise<Summary> {
      const [event, rows] = await readEvent(id);
      if (!event) throw notFound("event");
      return summaryOf({ event_id: id, date_id: null }, rows, SummarisedEvent.parse(event), extraPeopleIn(rows));
    },

    /** @throws Problem `not_found` */
    async getDateSummary(id: number): Promise<Summary> {
      const [{ event_id, event, extraPeople }, rows] = await Promise.all([
        readDate(id),
        readRows(table, partitions.dateSummary(organisationId, id)),
      ]);
      return summaryOf({ event_id, date_id: id }, rows, event, extraPeople);
    },
  };
}

/** @param attributes of the rows to read; by default all. */
async function readRows(table: Table, list: List, attributes?: readonly string[]): Promise<CategoryCounters[]> {
  return (await listAllItems(table, list, { attributes })).flatMap(countersOfRow);
}
