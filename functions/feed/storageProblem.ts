import { decimal } from "../parseJson.ts";
import { maximumNoteLength } from "../resources/order.ts";
import { itemKeys } from "../table/itemKeys.ts";

/** The limit for an item, from "Quotas in Amazon DynamoDB". */
const maximumItemBytes = 400 * 1024;
/** For attributes added by a write: the change time, a revision, a note's time. */
const reservedBytes = 1024;
/** For a note that the API may add to an order; UTF-8 has at most four bytes for each character. */
const noteBytes = 4 * maximumNoteLength;
/** The smallest number besides 0, from "Supported data types and naming rules in Amazon DynamoDB". No field of ours has one near the largest. */
const smallestNumber = 1e-130;

export function storageProblem(item: Record<string, unknown>): string | undefined {
  const tooSmall = Object.entries(item).find(
    ([, value]) => typeof value === "number" && value !== 0 && Math.abs(value) < smallestNumber,
  );
  if (tooSmall) return `data.${tooSmall[0]}: Must be 0 or at least ${smallestNumber}`;
  const reserved = reservedBytes + (item.SK === itemKeys.order(1, 1).SK ? noteBytes : 0);
  if (itemBytes(item) + reserved <= maximumItemBytes) return undefined;
  return `Larger than the ${Math.floor((maximumItemBytes - reserved) / 1024)} KB limit of an item`;
}

/** The size of an item, by the rules in "DynamoDB item sizes and formats". */
export function itemBytes(item: object): number {
  const stored = Object.entries(item).filter(([, value]) => value !== undefined);
  return stored.reduce((bytes, [name, value]) => bytes + Buffer.byteLength(name) + valueBytes(value), 0);
}

/** The overhead of a list or map, and of each element. */
const containerBytes = 3;
const elementBytes = 1;

function valueBytes(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value === "number") return numberBytes(value);
  if (Array.isArray(value)) return value.reduce((bytes, one) => bytes + elementBytes + valueBytes(one), containerBytes);
  if (typeof value !== "object" || value === null) return 1;
  return containerBytes + itemBytes(value) + elementBytes * Object.keys(value).length;
}

/** One byte, one for each two significant digits, counted from the decimal point, and one for a minus sign. */
function numberBytes(value: number): number {
  const { digits, exponent } = decimal(String(value));
  if (digits === "") return 1;
  const pairs = Math.floor((exponent + digits.length - 1) / 2) - Math.floor(exponent / 2) + 1;
  return 1 + pairs + (value < 0 ? 1 : 0);
}
