/**
 * Points this process's functions at a DynamoDB that is not AWS's. The SDK reads these variables itself, so that no
 * function knows of it. Credentials only have to be there; real ones are never sent to it.
 */
export function useLocalTable(endpoint: string, tableName: string): void {
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: "local",
    AWS_ACCESS_KEY_ID: "local",
    AWS_SECRET_ACCESS_KEY: "local",
    TABLE_NAME: tableName,
  });
  delete process.env.AWS_SESSION_TOKEN;
}
