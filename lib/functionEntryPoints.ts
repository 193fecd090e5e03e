import { endpoints } from "../functions/endpoints/index.ts";

/** By function name: the file of each Lambda function, relative to the repository root. */
export function entryPointsWith(operations: readonly { operationId: string }[]): Readonly<Record<string, string>> {
  return {
    apiKeyAuthorizer: "functions/keys/apiKeyAuthorizer.ts",
    superAdminAuthorizer: "functions/people/superAdminAuthorizer.ts",
    summaries: "functions/summaries/summaries.ts",
    feed: "functions/feed/feed.ts",
    bulkImport: "functions/feed/bulkImport.ts",
    outgoingEvents: "functions/changes/outgoingEvents.ts",
    usage: "functions/keys/usage.ts",
    ...Object.fromEntries(
      operations.map(({ operationId }) => [operationId, `functions/endpoints/${operationId}.ts`] as const),
    ),
  };
}

/** By function name: the file of every Lambda function, relative to the repository root. */
export const functionEntryPoints = entryPointsWith(endpoints);
