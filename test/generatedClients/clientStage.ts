import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { ticketingClient } from "../../packages/client-typescript/index.ts";
import {
  attendeeRecord,
  categoryRecord,
  dateRecord,
  discountRecord,
  orderRecord,
  paymentRecord,
  ticketRecord,
} from "../support/data/records.ts";
import { Visitor } from "../support/http/visitor.ts";
import { type ChildService, startChildService } from "../support/service/childService.ts";
import { eventIds, integratorStage, organisationId } from "../support/service/integratorStage.ts";
import { deletionOf } from "../support/sync/mirror.ts";

const [event_id, date_id, order_id, ticket_category_id, ticket_id, attendee_id] = [1, 1, 1, 21, 31, 61];
const [paymentId, discountId, deletedTicketId] = [41, 51, 32];
const largeOrderId = 9_001;
const pollMs = 100;

/** Starts the service with known data of each type. @returns the variables of the clients' journeys. */
export async function clientStage(): Promise<Record<string, string>> {
  const { description } = await startChildService();
  const stage = await integratorStage(description);
  const parents = { event_id, date_id, order_id };
  const ticket = { ...parents, ticket_category_id, attendee_id, seat: null };
  await stage.put(
    dateRecord(organisationId, event_id, date_id),
    dateRecord(organisationId, event_id, date_id + 1, { date: "2026-04-01T00:00:00Z" }),
    categoryRecord(organisationId, event_id, ticket_category_id),
    ticketRecord(organisationId, ticket_id, ticket),
    paymentRecord(organisationId, paymentId, parents),
    discountRecord(organisationId, discountId, { event_id }),
    attendeeRecord(organisationId, attendee_id, { ...parents, ticket_id, ticket_category_id }),
  );
  await stage.remove(deletionOf(ticketRecord(organisationId, deletedTicketId, ticket)));
  await stage.put(...largeOrder());
  await countedTicket(ticketingClient(stage));
  return {
    BASE_URL: stage.baseUrl,
    API_KEY: stage.apiKey,
    READ_ONLY_KEY: stage.readOnlyKey,
    ID_TOKEN: await superAdminToken(description),
    ORGANISATION_ID: String(organisationId),
    EVENT_COUNT: String(eventIds.length),
    EVENT_ID: String(event_id),
    DATE_ID: String(date_id),
    TICKET_CATEGORY_ID: String(ticket_category_id),
    ORDER_ID: String(order_id),
    LARGE_ORDER_ID: String(largeOrderId),
    TICKET_ID: String(ticket_id),
    DELETED_TICKET_ID: String(deletedTicketId),
    PAYMENT_ID: String(paymentId),
    DISCOUNT_ID: String(discountId),
    ATTENDEE_ID: String(attendee_id),
  };
}

/** An order with more tickets, payments and attendees than its responses contain: more than 100 each, and more than 3 MB of tickets. */
function largeOrder() {
  const parents = { order_id: largeOrderId, event_id: event_id + 1, date_id: date_id + 1 };
  return [
    orderRecord(organisationId, largeOrderId, { ...parents, reference: "LARGE" }),
    ...Array.from({ length: 101 }, (_, index) => 9_001 + index).flatMap((id) => [
      ticketRecord(organisationId, id, { ...parents, seat: "F".repeat(32_000) }),
      paymentRecord(organisationId, id, parents),
      attendeeRecord(organisationId, id, { ...parents, ticket_id: id }),
    ]),
  ];
}

/** Waits until the summary of the date counts the ticket, and so does that of its event. */
async function countedTicket(client: ReturnType<typeof ticketingClient>): Promise<void> {
  const path = { params: { path: { id: date_id } } };
  while ((await client.GET("/v1/dates/{id}/summary", path)).data.tickets_sold === 0) await wait(pollMs);
}

async function superAdminToken({ people, issuer, base_url }: ChildService["description"]): Promise<string> {
  const person = people.find((one) => one.organisation_id === organisationId && one.role === "super-admin");
  assert.ok(person);
  const signIn = { issuer, clientId: "developer-area", returnTo: `${base_url}/developer` };
  return (await new Visitor(signIn).tokensFor(person)).id_token;
}
