import { lambda } from "../api/lambda.ts";
import { listEndpoint } from "../api/resourceEndpoints.ts";
import { resources } from "../resources/index.ts";
import { payments } from "../resources/payment.ts";

export const listPayments = listEndpoint(payments, "all", {
  operationId: "listPayments",
  path: "/v1/payments",
  tag: "Payments",
  summary: "List payments and refunds, latest first",
  description:
    "The organisation's payments and refunds in every status. `completed_from` and `completed_to` limit `date_completed`; payments without it, such as pending ones, are at the end of the list without a range.",
  expands: resources,
});

export const handler = lambda(listPayments);
