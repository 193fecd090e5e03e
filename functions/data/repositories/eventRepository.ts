import { Event } from "../../resources/event.ts";
import type { PageQuery } from "../../resources/page.ts";
import { keys, lists } from "../table/keys.ts";
import { getRow, listRows } from "../table/rows.ts";
import type { Table } from "../table/table.ts";

/** One organisation's events. */
export function eventRepository(organisationId: number, table: Table) {
  return {
    get: (id: number) => getRow(table, Event, keys.event(organisationId, id), "event"),
    list: (page: PageQuery) => listRows(table, Event, lists.events(organisationId), page),
  };
}
