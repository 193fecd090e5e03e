import { dynamoDb } from "../../functions/data/dynamodb/client.ts";
import { sdkHandler } from "./sdkHandler.ts";

export const handler = sdkHandler(dynamoDb);
