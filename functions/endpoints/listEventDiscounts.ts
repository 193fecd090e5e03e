import { lambda } from "../api/lambda.ts";
import { listEndpoint } from "../api/resourceEndpoints.ts";
import { discounts } from "../resources/discount.ts";

export const listEventDiscounts = listEndpoint(discounts, "ofEvent", {
  operationId: "listEventDiscounts",
  path: "/v1/events/{id}/discounts",
  tag: "Events",
  summary: "List an event's discounts",
});

export const handler = lambda(listEventDiscounts);
