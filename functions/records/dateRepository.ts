import type * as z from "zod";
import { dates } from "../resources/eventDate.ts";
import {
  type DatesQuery,
  dateExpansions,
  type EventDatesQuery,
  type ExpandedEventDate,
} from "../resources/expanded.ts";
import type { Page } from "../resources/page.ts";
import { declaredList } from "../table/lists.ts";
import type { Table } from "../table/table.ts";
import { expandPage, expandRow } from "./expansion.ts";
import { repositoryOf } from "./resourceRepository.ts";

export function dateRepository(organisationId: number, table: Table) {
  const rows = repositoryOf(dates)(organisationId, table);
  const expanding = (names: readonly string[]) => ({ organisationId, table, expansions: dateExpansions, names });
  const listed = (name: keyof typeof dates.lists, eventId?: number) => ({
    resource: dates,
    list: declaredList(dates, name, organisationId, eventId),
  });

  return {
    /** @throws Problem `not_found` */
    get: async (id: number, names: readonly string[]): Promise<ExpandedEventDate> =>
      expandRow(await rows.get(id), expanding(names)),

    /** @throws Problem `invalid_request` for a cursor of another list */
    async all({ expand, ...query }: z.output<typeof DatesQuery>): Promise<Page<ExpandedEventDate>> {
      return expandPage(await rows.all(query), expanding(expand), listed("all"));
    },

    /** @throws Problem `not_found` for an unknown event, `invalid_request` for a cursor of another list */
    async ofEvent(eventId: number, request: z.output<typeof EventDatesQuery>): Promise<Page<ExpandedEventDate>> {
      const { expand, ...query } = request;
      return expandPage(await rows.ofEvent(eventId, query), expanding(expand), listed("ofEvent", eventId));
    },
  };
}
