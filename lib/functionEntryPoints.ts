import { endpoints } from "../functions/endpoints/index.ts";

/** By function name: the file of every Lambda function, relative to the repository root. */
export const functionEntryPoints: Readonly<Record<string, string>> = {
  apiKeyAuthorizer: "functions/authorizers/apiKeyAuthorizer.ts",
  superAdminAuthorizer: "functions/authorizers/superAdminAuthorizer.ts",
  summaries: "functions/consumers/summaries.ts",
  feed: "functions/consumers/feed.ts",
  bulkImport: "functions/consumers/bulkImport.ts",
  outgoingEvents: "functions/consumers/outgoingEvents.ts",
  ...Object.fromEntries(
    endpoints.map(({ operationId }) => [operationId, `functions/endpoints/${operationId}.ts`] as const),
  ),
};
