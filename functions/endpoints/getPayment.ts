import { repositoryOf } from "../data/repositories/resourceRepository.ts";
import { apiKeyHolder } from "../http/callers/apiKeyHolder.ts";
import { endpoint } from "../http/endpoint.ts";
import { lambda } from "../http/lambda.ts";
import { Payment, payments } from "../resources/payment.ts";
import { idOf } from "../resources/resourceId.ts";

export const getPayment = endpoint(
  {
    operationId: "getPayment",
    method: "GET",
    path: "/v1/payments/{id}",
    summary: "Get one payment",
    caller: apiKeyHolder("read"),
    table: ["GetItem"],
    repositories: { rows: repositoryOf(payments) },
    params: idOf("payment"),
    response: Payment,
  },
  ({ params }, { rows }) => rows.get(params.id),
);

export const handler = lambda(getPayment);
