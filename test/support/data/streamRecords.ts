import type { DynamoDBRecord } from "aws-lambda";
import { toAttributes } from "../../../functions/table/attributeValue.ts";
import type { ItemKey } from "../../../functions/table/keys.ts";

let lastNumber = 0;

/** A stream record of a changed item, in the form that Lambda passes on. */
export function streamRecord({ PK, SK }: ItemKey): DynamoDBRecord {
  lastNumber += 1;
  const SequenceNumber = String(lastNumber).padStart(21, "0");
  return { eventName: "MODIFY", dynamodb: { SequenceNumber, Keys: { PK: { S: PK }, SK: { S: SK } } } };
}

/** A stream record of a new item, with its content. */
export function creationRecord(item: ItemKey): DynamoDBRecord {
  const { dynamodb } = streamRecord(item);
  // Lambda's and the SDK's types of an attribute differ only in the form of binary values.
  const NewImage = toAttributes({ ...item }) as NonNullable<DynamoDBRecord["dynamodb"]>["NewImage"];
  return { eventName: "INSERT", dynamodb: { ...dynamodb, NewImage } };
}
