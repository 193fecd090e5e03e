import type { Attributes } from "../functions/table/dynamodb/attributeValue.ts";

/**
 * The size of items as DynamoDB counts it: the UTF-8 bytes of names and texts, a byte for every two significant digits of a
 * number and one more, one byte for a boolean or a null
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html).
 */
export function itemBytes(items: readonly Attributes[]): number {
  return items
    .flatMap((item) => Object.entries(item))
    .reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);
}

function valueBytes({ S, N, L, M }: Attributes[string]): number {
  if (S !== undefined) return Buffer.byteLength(S);
  if (N !== undefined) return Math.ceil(N.replace(/[-.]|^0+|0+$/g, "").length / 2) + 1;
  if (L !== undefined) return 3 + L.reduce((sum, value) => sum + 1 + valueBytes(value), 0);
  if (M !== undefined) return 3 + Object.keys(M).length + itemBytes([M]);
  return 1;
}
