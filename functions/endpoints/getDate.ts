import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { idOf } from "../api/pathParameters.ts";
import { dateRepository } from "../records/dateRepository.ts";
import { DateQuery, ExpandedEventDate } from "../resources/expanded.ts";

export const getDate = endpoint(
  {
    operationId: "getDate",
    method: "GET",
    path: "/v1/dates/{id}",
    tag: "Dates",
    summary: "Get one event date",
    caller: apiKeyHolder("read"),
    tableAccess: "organisationData",
    table: ["GetItem", "BatchGetItem"],
    repositories: { dates: dateRepository },
    params: idOf("date"),
    query: DateQuery,
    response: ExpandedEventDate,
  },
  ({ params, query }, { dates }) => dates.get(params.id, query.expand),
);

export const handler = lambda(getDate);
