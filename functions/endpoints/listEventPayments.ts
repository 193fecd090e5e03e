import { lambda } from "../api/lambda.ts";
import { listEndpoint } from "../api/resourceEndpoints.ts";
import { resources } from "../resources/index.ts";
import { payments } from "../resources/payment.ts";

export const listEventPayments = listEndpoint(payments, "ofEvent", {
  operationId: "listEventPayments",
  path: "/v1/events/{id}/payments",
  tag: "Events",
  summary: "List an event's payments, newest first",
  description: "Payments from buyers and refunds to them.",
  expands: resources,
});

export const handler = lambda(listEventPayments);
