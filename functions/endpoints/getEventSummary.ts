import { summaryRepository } from "../data/repositories/summaryRepository.ts";
import { apiKeyHolder } from "../http/callers/apiKeyHolder.ts";
import { endpoint } from "../http/endpoint.ts";
import { lambda } from "../http/lambda.ts";
import { idOf } from "../resources/resourceId.ts";
import { Summary } from "../resources/summary.ts";

export const getEventSummary = endpoint(
  {
    operationId: "getEventSummary",
    method: "GET",
    path: "/v1/events/{id}/summary",
    summary: "Get the summary of an event",
    description: "The summary follows a change of the records within seconds.",
    caller: apiKeyHolder("read"),
    table: ["BatchGetItem"],
    repositories: { summaries: summaryRepository },
    params: idOf("event"),
    response: Summary,
  },
  ({ params }, { summaries }) => summaries.getEventSummary(params.id),
);

export const handler = lambda(getEventSummary);
