import { discountRepository } from "../data/repositories/discountRepository.ts";
import { apiKeyHolder } from "../http/callers/apiKeyHolder.ts";
import { endpoint } from "../http/endpoint.ts";
import { lambda } from "../http/lambda.ts";
import { Discount } from "../resources/discount.ts";
import { idOf } from "../resources/resourceId.ts";

export const getDiscount = endpoint(
  {
    operationId: "getDiscount",
    method: "GET",
    path: "/v1/discounts/{id}",
    summary: "Get one discount",
    caller: apiKeyHolder("read"),
    table: ["GetItem"],
    repositories: { discounts: discountRepository },
    params: idOf("discount"),
    response: Discount,
  },
  ({ params }, { discounts }) => discounts.get(params.id),
);

export const handler = lambda(getDiscount);
