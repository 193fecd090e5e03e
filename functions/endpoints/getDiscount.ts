import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { repositoryOf } from "../records/resourceRepository.ts";
import { Discount, discounts } from "../resources/discount.ts";
import { idOf } from "../resources/fields.ts";

export const getDiscount = endpoint(
  {
    operationId: "getDiscount",
    method: "GET",
    path: "/v1/discounts/{id}",
    summary: "Get one discount",
    caller: apiKeyHolder("read"),
    table: ["GetItem"],
    repositories: { rows: repositoryOf(discounts) },
    params: idOf("discount"),
    response: Discount,
  },
  ({ params }, { rows }) => rows.get(params.id),
);

export const handler = lambda(getDiscount);
