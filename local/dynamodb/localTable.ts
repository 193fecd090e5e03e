import { useLocalCredentials } from "./localCredentials.ts";

/** Points this process's functions at a DynamoDB other than AWS's, through variables that the SDK reads itself. */
export function useLocalTable(endpoint: string, tableName: string): void {
  useLocalCredentials();
  Object.assign(process.env, { AWS_ENDPOINT_URL_DYNAMODB: endpoint, TABLE_NAME: tableName });
}
