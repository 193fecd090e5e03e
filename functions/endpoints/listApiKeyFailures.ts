import { superAdmin } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { timeOrderedIdOf } from "../api/pathParameters.ts";
import { KeyFailure } from "../keys/keyUsage.ts";
import { keyUsageRepository } from "../keys/keyUsageRepository.ts";
import { PageQuery, pageOf } from "../resources/page.ts";

export const listApiKeyFailures = endpoint(
  {
    operationId: "listApiKeyFailures",
    method: "GET",
    path: "/admin/api-keys/{id}/failures",
    tag: "Key administration",
    summary: "List the refused and failed requests of an API key, latest first",
    description:
      "The requests of at least the last 7 days whose status was 400 or more, including those after the key was revoked. Equal requests of a day are one failure. During a burst of different ones, only the most recent are kept.",
    caller: superAdmin(),
    tableAccess: "keyAdministration",
    table: ["GetItem", "Query"],
    repositories: { usage: keyUsageRepository },
    params: timeOrderedIdOf("API key"),
    query: PageQuery,
    response: pageOf(KeyFailure),
  },
  ({ params, query }, { usage }) => usage.failures(params.id, query),
);

export const handler = lambda(listApiKeyFailures);
