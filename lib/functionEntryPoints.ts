import { endpoints } from "../functions/endpoints/index.ts";

/** The file of every Lambda function, by the function's name; relative to the root of the sources. */
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
