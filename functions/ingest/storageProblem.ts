/**
 * The most bytes of an item, from "Quotas in Amazon DynamoDB". One item over it would fail the whole batch that it is in.
 */
const maximumItemBytes = 400 * 1024;
/** A number takes about one byte for two digits and one more; ours have at most 16 and a sign. Others take one. */
const otherValueBytes = 10;

/** Why DynamoDB could not store the fields of a record, or undefined where it can. */
export function storageProblem(item: Record<string, unknown>): string | undefined {
  let bytes = 0;
  for (const [name, value] of Object.entries(item)) {
    if (typeof value === "string" && !value.isWellFormed()) return `data.${name}: Half a character (a lone surrogate)`;
    bytes += Buffer.byteLength(name) + (typeof value === "string" ? Buffer.byteLength(value) : otherValueBytes);
  }
  return bytes > maximumItemBytes ? `Larger than the ${maximumItemBytes / 1024} KB that can be stored` : undefined;
}
