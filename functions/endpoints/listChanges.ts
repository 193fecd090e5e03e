import { apiKeyHolder } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { ChangesPage, ChangesQuery } from "../changes/change.ts";
import { changeRepository } from "../changes/changeRepository.ts";

export const listChanges = endpoint(
  {
    operationId: "listChanges",
    method: "GET",
    path: "/v1/changes",
    tag: "Changes",
    summary: "List changes and deletions, for incremental sync",
    description:
      "Lists the organisation's resources in the order in which this service accepted their latest changes, oldest first. A resource that changes again moves to the end. A change appears a few seconds after it was accepted, and continuing from a `resume_cursor` misses no change and no deletion. Importing an unchanged record again is not a change.",
    caller: apiKeyHolder("read"),
    tableAccess: "organisationData",
    table: ["Query", "GetItem"],
    repositories: { changes: changeRepository },
    query: ChangesQuery,
    tool: {
      name: "list_changes",
      resource: "changes",
      hint: "Of all types, oldest first. A deletion has no data. pagination.resume_cursor is the cursor of a later call.",
    },
    response: ChangesPage,
  },
  ({ query }, { changes }) => changes.list(query),
);

export const handler = lambda(listChanges);
