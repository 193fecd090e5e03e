import type { DynamoDBRecord } from "aws-lambda";
import type { ItemKey } from "../../../functions/data/table/keys.ts";

let lastNumber = 0;

/** A stream record of a changed item, in the form that Lambda passes on. */
export function streamRecord({ PK, SK }: ItemKey): DynamoDBRecord {
  lastNumber += 1;
  const SequenceNumber = String(lastNumber).padStart(21, "0");
  return { eventName: "MODIFY", dynamodb: { SequenceNumber, Keys: { PK: { S: PK }, SK: { S: SK } } } };
}
