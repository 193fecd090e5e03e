import type { TicketingClient } from "./client.ts";
import type { components } from "./schema.ts";

type Schemas = components["schemas"];

/**
 * Records a payment or refund against an event's balance exactly once, including retries.
 * @param idempotencyKey identifies the request to the service for 24 hours; a new one by default. Store your own if your program may
 * restart before the request succeeds.
 */
export async function recordBalancePayment(
  client: TicketingClient,
  eventId: number,
  payment: Schemas["BalancePaymentInput"],
  idempotencyKey: string = crypto.randomUUID(),
): Promise<Schemas["BalancePayment"]> {
  const { data } = await client.POST("/v1/events/{id}/balance-payments", {
    params: { path: { id: eventId }, header: { "Idempotency-Key": idempotencyKey } },
    body: payment,
  });
  return data;
}
