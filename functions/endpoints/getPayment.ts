import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { repositoryOf } from "../records/resourceRepository.ts";
import { idOf } from "../resources/fields.ts";
import { Payment, payments } from "../resources/payment.ts";

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
