import { lambda } from "../api/lambda.ts";
import { listEndpoint } from "../api/resourceEndpoints.ts";
import { balancePayments } from "../resources/balancePayment.ts";

export const listEventBalancePayments = listEndpoint(balancePayments, "ofEvent", {
  operationId: "listEventBalancePayments",
  path: "/v1/events/{id}/balance-payments",
  tag: "Events",
  summary: "List an event's balance payments, newest first",
  description: "External payments and refunds recorded against the event's balance.",
  hint: "Recorded outside the ticket shop.",
});

export const handler = lambda(listEventBalancePayments);
