import { superAdmin } from "../api/callers.ts";
import { endpoint } from "../api/endpoint.ts";
import { lambda } from "../api/lambda.ts";
import { KeyFailure } from "../keys/keyUsage.ts";
import { keyUsageRepository } from "../keys/keyUsageRepository.ts";
import { PageQuery, pageOf } from "../resources/page.ts";

export const listAllApiKeyFailures = endpoint(
  {
    operationId: "listAllApiKeyFailures",
    method: "GET",
    path: "/admin/api-key-failures",
    tag: "Key administration",
    summary: "List the refused and failed requests of all API keys, latest first",
    description:
      "The requests of at least the last 7 days whose status was 400 or more, including those with a revoked key. Equal requests of a day are one failure. During a burst of different ones, only the most recent are kept.",
    caller: superAdmin(),
    tableAccess: "keyFailures",
    table: ["Query"],
    repositories: { usage: keyUsageRepository },
    query: PageQuery,
    response: pageOf(KeyFailure),
  },
  ({ query }, { usage }) => usage.allFailures(query),
);

export const handler = lambda(listAllApiKeyFailures);
