import { type LocalDynamoDb, startDynamoDbLocal } from "../../local/dynamodb.ts";

let dynamoDb: LocalDynamoDb | undefined;

/** One DynamoDB Local for all test files; each file makes tables of its own in it. */
export async function globalSetup(): Promise<void> {
  dynamoDb = await startDynamoDbLocal();
  process.env.TEST_DYNAMODB_ENDPOINT = dynamoDb.endpoint;
}

export async function globalTeardown(): Promise<void> {
  await dynamoDb?.stop();
}
