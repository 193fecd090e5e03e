import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { idOf } from "../api/pathParameters.ts";
import { Summary } from "../summaries/summary.ts";
import { summaryRepository } from "../summaries/summaryRepository.ts";

export const getEventSummary = endpoint(
  {
    operationId: "getEventSummary",
    method: "GET",
    path: "/v1/events/{id}/summary",
    tag: "Events",
    summary: "Get the summary of an event",
    description: "The summary reflects changes to the records within seconds.",
    caller: apiKeyHolder("read"),
    tableAccess: "readSummaries",
    table: ["GetItem", "Query"],
    repositories: { summaries: summaryRepository },
    params: idOf("event"),
    tool: { name: "get_summary", argument: "event_id", hint: "Orders, tickets, attendance and revenue." },
    response: Summary,
  },
  ({ params }, { summaries }) => summaries.getEventSummary(params.id),
);

export const handler = lambda(getEventSummary);
