import { superAdmin } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { Activity, activityRepository } from "../audit/activityRepository.ts";
import { PageQuery, pageOf } from "../resources/page.ts";

export const listApiKeyActivity = endpoint(
  {
    operationId: "listApiKeyActivity",
    method: "GET",
    path: "/admin/api-key-activity",
    tag: "Key administration",
    summary: "List the audit trail of API keys and webhooks, newest first",
    description:
      "The audit trail of the organisation's keys and webhooks, ordered by `time` descending. Entries are never changed.",
    caller: superAdmin(),
    tableAccess: "keyAdministration",
    table: ["Query"],
    repositories: { activity: activityRepository },
    query: PageQuery,
    response: pageOf(Activity),
  },
  ({ query }, { activity }) => activity.list(query),
);

export const handler = lambda(listApiKeyActivity);
