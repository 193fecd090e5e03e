import type { TicketingClient } from "./client.ts";
import type { components } from "./schema.d.ts";

type Schemas = components["schemas"];

/**
 * Records a payment, or a refund, against an event's balance, once, however often it has to be sent.
 *
 * @param idempotencyKey by which the service knows the request again, for 24 hours. Give one that you have stored where your program
 * may end and begin again in between; left out, it is a new one.
 */
export async function recordBalancePayment(
  client: TicketingClient,
  eventId: number,
  payment: Schemas["NewBalancePayment"],
  idempotencyKey: string = crypto.randomUUID(),
): Promise<Schemas["BalancePayment"]> {
  const { data } = await client.POST("/v1/events/{id}/balance-payments", {
    params: { path: { id: eventId }, header: { "Idempotency-Key": idempotencyKey } },
    body: payment,
  });
  return data;
}
