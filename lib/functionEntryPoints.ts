import { endpoints } from "../functions/endpoints/index.ts";

/** By function name: the file of each Lambda function, relative to the repository root. */
export function entryPointsWith(operations: readonly { operationId: string }[]): Readonly<Record<string, string>> {
  return {
    apiKeyAuthorizer: "functions/authorizers/apiKeyAuthorizer.ts",
    superAdminAuthorizer: "functions/authorizers/superAdminAuthorizer.ts",
    summaries: "functions/consumers/summaries.ts",
    feed: "functions/consumers/feed.ts",
    bulkImport: "functions/consumers/bulkImport.ts",
    outgoingEvents: "functions/consumers/outgoingEvents.ts",
    peopleBackup: "functions/consumers/peopleBackup.ts",
    usage: "functions/consumers/usage.ts",
    ...Object.fromEntries(
      operations.map(({ operationId }) => [operationId, `functions/endpoints/${operationId}.ts`] as const),
    ),
  };
}

/** By function name: the file of every Lambda function, relative to the repository root. */
export const functionEntryPoints = entryPointsWith(endpoints);
