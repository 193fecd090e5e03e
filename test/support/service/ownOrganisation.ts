import { Scope } from "../../../functions/resources/scope.ts";
import { dateRecord, eventRecord, orderRecord, ticketRecord } from "../data/records.ts";
import { putRecords } from "../data/table.ts";
import { furtherOrganisations } from "./furtherOrganisations.ts";
import { adminOne, type Caller, localService, localTable, newHolder, personOf, writerOne } from "./testedService.ts";

/**
 * The super-admin of a page's own organisation, which has an order with a ticket, and a holder of its key. A running stage has no such
 * organisations: its pages run one after another, and write into organisation 1.
 */
export async function ownOrganisation(
  page: keyof typeof furtherOrganisations,
): Promise<{ admin: Caller; writer: Caller }> {
  if (!localService) return { admin: adminOne, writer: writerOne };
  const organisationId = furtherOrganisations[page];
  const parents = { event_id: 1, date_id: 1 };
  await putRecords(
    [
      eventRecord(organisationId, 1),
      dateRecord(organisationId, 1, 1),
      orderRecord(organisationId, 1, parents),
      ticketRecord(organisationId, 1, { ...parents, order_id: 1 }),
    ],
    localTable(),
  );
  return {
    admin: personOf(organisationId, "super-admin"),
    writer: await newHolder(organisationId, [...Scope.options]),
  };
}
