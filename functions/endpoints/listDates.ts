import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { dateRepository } from "../records/dateRepository.ts";
import { DatesQuery, ExpandedEventDate } from "../resources/expanded.ts";
import { pageOf } from "../resources/page.ts";

export const listDates = endpoint(
  {
    operationId: "listDates",
    method: "GET",
    path: "/v1/dates",
    tag: "Dates",
    summary: "List dates of all events, soonest first",
    description:
      "`from` and `to` limit the start. The list includes the dates of `private` and `unlisted` events. A program that publishes dates must leave these out: request `expand=event` to recognise them. Ordered by `date` ascending as instants, then by `id` ascending.",
    caller: apiKeyHolder("read"),
    tableAccess: "organisationData",
    table: ["Query", "BatchGetItem"],
    repositories: { dates: dateRepository },
    query: DatesQuery,
    response: pageOf(ExpandedEventDate),
  },
  ({ query }, { dates }) => dates.all(query),
);

export const handler = lambda(listDates);
