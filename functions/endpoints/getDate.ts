import { lambda } from "../api/lambda.ts";
import { getEndpoint } from "../api/resourceEndpoints.ts";
import { dates } from "../resources/eventDate.ts";
import { resources } from "../resources/index.ts";

export const getDate = getEndpoint(dates, {
  operationId: "getDate",
  path: "/v1/dates/{id}",
  tag: "Dates",
  summary: "Get one event date",
  expands: resources,
});

export const handler = lambda(getDate);
