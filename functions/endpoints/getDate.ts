import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { repositoryOf } from "../records/resourceRepository.ts";
import { dates, EventDate } from "../resources/eventDate.ts";
import { idOf } from "../resources/fields.ts";

export const getDate = endpoint(
  {
    operationId: "getDate",
    method: "GET",
    path: "/v1/dates/{id}",
    summary: "Get one event date",
    caller: apiKeyHolder("read"),
    table: ["GetItem"],
    repositories: { rows: repositoryOf(dates) },
    params: idOf("date"),
    response: EventDate,
  },
  ({ params }, { rows }) => rows.get(params.id),
);

export const handler = lambda(getDate);
