import { lambda } from "../api/lambda.ts";
import { listEndpoint } from "../api/resourceEndpoints.ts";
import { payments } from "../resources/payment.ts";

export const listOrderPayments = listEndpoint(payments, "ofOrder", {
  operationId: "listOrderPayments",
  path: "/v1/orders/{id}/payments",
  tag: "Orders",
  summary: "List an order's payments, newest first",
  description: "Payments and refunds.",
});

export const handler = lambda(listOrderPayments);
