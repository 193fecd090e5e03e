/** The limit for an item, from "Quotas in Amazon DynamoDB". One larger item would fail its whole batch. */
const maximumItemBytes = 400 * 1024;
/** A number takes about one byte per two digits plus one; ours have at most 16 digits and a sign. Other values take one byte. */
const otherValueBytes = 10;

/** The reason why DynamoDB cannot store an item, or undefined if it can. */
export function storageProblem(item: Record<string, unknown>): string | undefined {
  let bytes = 0;
  for (const [name, value] of Object.entries(item)) {
    if (typeof value === "string" && !value.isWellFormed()) return `data.${name}: Contains a lone surrogate`;
    bytes += Buffer.byteLength(name) + (typeof value === "string" ? Buffer.byteLength(value) : otherValueBytes);
  }
  return bytes > maximumItemBytes ? `Larger than the ${maximumItemBytes / 1024} KB limit of an item` : undefined;
}
