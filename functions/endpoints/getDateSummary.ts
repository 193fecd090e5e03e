import { summaryRepository } from "../data/repositories/summaryRepository.ts";
import { apiKeyHolder } from "../http/callers/apiKeyHolder.ts";
import { endpoint } from "../http/endpoint.ts";
import { lambda } from "../http/lambda.ts";
import { idOf } from "../resources/resourceId.ts";
import { Summary } from "../resources/summary.ts";

export const getDateSummary = endpoint(
  {
    operationId: "getDateSummary",
    method: "GET",
    path: "/v1/dates/{id}/summary",
    summary: "Get the summary of a date",
    description: "The summary follows a change of the records within seconds.",
    caller: apiKeyHolder("read"),
    table: ["BatchGetItem"],
    repositories: { summaries: summaryRepository },
    params: idOf("date"),
    response: Summary,
  },
  ({ params }, { summaries }) => summaries.getDateSummary(params.id),
);

export const handler = lambda(getDateSummary);
