import { lambda } from "../api/lambda.ts";
import { listEndpoint } from "../api/resourceEndpoints.ts";
import { dates } from "../resources/eventDate.ts";
import { resources } from "../resources/index.ts";

export const listDates = listEndpoint(dates, "all", {
  operationId: "listDates",
  path: "/v1/dates",
  tag: "Dates",
  summary: "List dates of all events, soonest first",
  description:
    "`from` and `to` limit the start. The list includes the dates of `private` and `unlisted` events. A program that publishes dates must leave these out: request `expand=event` to recognise them.",
  hint: "Includes those of private and unlisted events. On sale if neither over, sold_out nor suspend, and tickets of the event are.",
  expands: resources,
});

export const handler = lambda(listDates);
