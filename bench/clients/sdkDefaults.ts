import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { sdkHandler } from "./sdkHandler.ts";

const client = new DynamoDBClient({});

export const handler = sdkHandler(() => client);
