import * as z from "zod";
import type { Attributes } from "../table/item.ts";

const text = z.object({ S: z.string() }).transform(({ S }) => S);
const image = z.custom<Attributes>().optional();

/** A changed item in the table's stream: its key, and its content before and after, in DynamoDB's form. */
export const StreamRecord = z
  .object({
    eventID: z.string(),
    eventName: z.enum(["INSERT", "MODIFY", "REMOVE"]),
    dynamodb: z.object({
      SequenceNumber: z.string(),
      Keys: z.object({ PK: text, SK: text }),
      OldImage: image,
      NewImage: image,
    }),
  })
  .transform(({ eventID: id, eventName: change, dynamodb }) => {
    const { Keys: key, SequenceNumber: sequenceNumber, OldImage: before, NewImage: after } = dynamodb;
    return { id, change, key, sequenceNumber, before, after };
  });
export type StreamRecord = z.output<typeof StreamRecord>;
