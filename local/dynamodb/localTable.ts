import { useLocalCredentials } from "./localCredentials.ts";

/** Points this process's functions at a DynamoDB that is not AWS's. The SDK reads these variables itself, so that no function knows of it. */
export function useLocalTable(endpoint: string, tableName: string): void {
  useLocalCredentials();
  Object.assign(process.env, { AWS_ENDPOINT_URL_DYNAMODB: endpoint, TABLE_NAME: tableName });
}
