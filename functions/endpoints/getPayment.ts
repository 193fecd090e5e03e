import { lambda } from "../api/lambda.ts";
import { getEndpoint } from "../api/resourceEndpoints.ts";
import { resources } from "../resources/index.ts";
import { payments } from "../resources/payment.ts";

export const getPayment = getEndpoint(payments, {
  operationId: "getPayment",
  path: "/v1/payments/{id}",
  tag: "Payments",
  summary: "Get one payment",
  tool: "get_payment",
  expands: resources,
});

export const handler = lambda(getPayment);
