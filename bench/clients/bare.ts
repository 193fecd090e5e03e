import { DynamoDBClient, GetItemCommand, QueryCommand } from "@aws-sdk/client-dynamodb";

/** The least that a function with the SDK loads: a client, and the commands of our reads. */
const client = new DynamoDBClient({});

export const handler = () => [client, GetItemCommand, QueryCommand];
