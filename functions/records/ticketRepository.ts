import type * as z from "zod";
import {
  type DateTicketsQuery,
  type ExpandedTicket,
  type TicketsQuery,
  ticketExpansions,
} from "../resources/expanded.ts";
import type { Page } from "../resources/page.ts";
import { tickets } from "../resources/ticket.ts";
import { declaredList } from "../table/lists.ts";
import type { Table } from "../table/table.ts";
import { expandPage, expandRow } from "./expansion.ts";
import { repositoryOf } from "./resourceRepository.ts";

export function ticketRepository(organisationId: number, table: Table) {
  const rows = repositoryOf(tickets)(organisationId, table);
  const expanding = (names: readonly string[]) => ({ organisationId, table, expansions: ticketExpansions, names });
  const listed = (name: keyof typeof tickets.lists, value: unknown) => ({
    resource: tickets,
    list: declaredList(tickets, name, organisationId, value),
  });

  return {
    /** @throws Problem `not_found` */
    get: async (id: number, names: readonly string[]): Promise<ExpandedTicket> =>
      expandRow(await rows.get(id), expanding(names)),

    /** @throws Problem `invalid_request` for a cursor of another list */
    async byBarcode(request: z.output<typeof TicketsQuery>): Promise<Page<ExpandedTicket>> {
      const { barcode, expand, ...query } = request;
      return expandPage(await rows.byBarcode(barcode, query), expanding(expand), listed("byBarcode", barcode));
    },

    /** @throws Problem `not_found` for an unknown date, `invalid_request` for a cursor of another list */
    async ofDate(dateId: number, request: z.output<typeof DateTicketsQuery>): Promise<Page<ExpandedTicket>> {
      const { expand, ...query } = request;
      return expandPage(await rows.ofDate(dateId, query), expanding(expand), listed("ofDate", dateId));
    },
  };
}
