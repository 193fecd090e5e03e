import { lambda } from "../api/lambda.ts";
import { listEndpoint } from "../api/resourceEndpoints.ts";
import { DatesQuery, dates } from "../resources/eventDate.ts";

export const listDates = listEndpoint(dates, "all", {
  operationId: "listDates",
  path: "/v1/dates",
  tag: "Dates",
  summary: "List dates of all events, soonest first",
  description: "`from` and `to` limit the start.",
  query: DatesQuery,
});

export const handler = lambda(listDates);
