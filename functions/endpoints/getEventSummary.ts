import * as z from "zod";
import { summaryRepository } from "../data/summaryRepository.ts";
import { apiKey } from "../http/callers/apiKey.ts";
import { endpoint } from "../http/endpoint.ts";
import { lambda } from "../http/lambda.ts";
import { resourceId } from "../resources/resourceId.ts";
import { Summary } from "../resources/summary.ts";

export const getEventSummary = endpoint(
  {
    operationId: "getEventSummary",
    method: "GET",
    path: "/v1/events/{id}/summary",
    summary: "Get the summary of an event",
    description: "Kept up to date as records change: it follows a change within seconds.",
    caller: apiKey("read"),
    table: ["BatchGetItem"],
    repositories: { summaries: summaryRepository },
    params: z.object({ id: resourceId("event") }),
    response: Summary,
  },
  ({ params }, { summaries }) => summaries.getEventSummary(params.id),
);

export const handler = lambda(getEventSummary);
