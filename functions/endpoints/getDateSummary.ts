import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { idOf } from "../api/pathParameters.ts";
import { Summary } from "../summaries/summary.ts";
import { summaryRepository } from "../summaries/summaryRepository.ts";

export const getDateSummary = endpoint(
  {
    operationId: "getDateSummary",
    method: "GET",
    path: "/v1/dates/{id}/summary",
    tag: "Dates",
    summary: "Get the summary of a date",
    description: "The summary reflects changes to the records within seconds.",
    caller: apiKeyHolder("read"),
    tableAccess: "readSummaries",
    table: ["GetItem", "Query"],
    repositories: { summaries: summaryRepository },
    params: idOf("date"),
    tool: { name: "get_summary", argument: "date_id" },
    response: Summary,
  },
  ({ params }, { summaries }) => summaries.getDateSummary(params.id),
);

export const handler = lambda(getDateSummary);
