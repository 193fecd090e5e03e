import { paymentRepository } from "../data/repositories/paymentRepository.ts";
import { apiKeyHolder } from "../http/callers/apiKeyHolder.ts";
import { endpoint } from "../http/endpoint.ts";
import { lambda } from "../http/lambda.ts";
import { Payment } from "../resources/payment.ts";
import { idOf } from "../resources/resourceId.ts";

export const getPayment = endpoint(
  {
    operationId: "getPayment",
    method: "GET",
    path: "/v1/payments/{id}",
    summary: "Get one payment",
    caller: apiKeyHolder("read"),
    table: ["GetItem"],
    repositories: { payments: paymentRepository },
    params: idOf("payment"),
    response: Payment,
  },
  ({ params }, { payments }) => payments.get(params.id),
);

export const handler = lambda(getPayment);
