import { maximumNoteLength } from "../resources/order.ts";
import { keys } from "../table/keys.ts";

/** The limit for an item, from "Quotas in Amazon DynamoDB". One larger item would fail its whole batch. */
const maximumItemBytes = 400 * 1024;
/** For the attributes that writing an item adds: its place among the changes, a revision, a note's time. */
const reservedBytes = 1024;
/** For a note that the API may add to an order; UTF-8 has at most four bytes for each character. */
const noteBytes = 4 * maximumNoteLength;
/** A number takes about one byte per two digits plus one; ours have at most 16 digits and a sign. Other values take one byte. */
const otherValueBytes = 10;

/** The reason why DynamoDB cannot store an item, or undefined if it can. */
export function storageProblem(item: Record<string, unknown>): string | undefined {
  const reserved = reservedBytes + (item.SK === keys.order(1, 1).SK ? noteBytes : 0);
  let bytes = reserved;
  for (const [name, value] of Object.entries(item)) {
    if (typeof value === "string" && !value.isWellFormed()) return `data.${name}: Contains a lone surrogate`;
    bytes += Buffer.byteLength(name) + sizeOf(value);
  }
  if (bytes <= maximumItemBytes) return undefined;
  return `Larger than the ${Math.floor((maximumItemBytes - reserved) / 1024)} KB limit of an item`;
}

function sizeOf(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  // Texts in arrays and objects, such as an attendee's answers, have at least the size of their JSON.
  if (typeof value === "object" && value !== null) return Buffer.byteLength(JSON.stringify(value));
  return otherValueBytes;
}
