import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";

/** An item of the table, as plain values. */
export type Item = Record<string, unknown>;

/** An item as streams and errors contain it. */
export type Attributes = Record<string, AttributeValue>;

export function fromAttributes(attributes: Attributes): Item {
  return unmarshall(attributes, { wrapNumbers: Number });
}

export function isTombstone(item: Item): boolean {
  return item.deleted === true;
}
