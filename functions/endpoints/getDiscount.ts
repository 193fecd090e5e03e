import { lambda } from "../api/lambda.ts";
import { getEndpoint } from "../api/resourceEndpoints.ts";
import { discounts } from "../resources/discount.ts";

export const getDiscount = getEndpoint(discounts, {
  operationId: "getDiscount",
  path: "/v1/discounts/{id}",
  tag: "Discounts",
  summary: "Get one discount",
});

export const handler = lambda(getDiscount);
