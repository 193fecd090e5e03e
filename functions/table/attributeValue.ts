import type { AttributeValue } from "@aws-sdk/client-dynamodb";

/** An item of the table, as plain values. */
export type Item = Record<string, unknown>;

/** Whether an item only marks that a record was deleted. */
export function isTombstone(item: Item): boolean {
  return item.deleted === true;
}

export type Attributes = Record<string, AttributeValue>;

/** A value of a type that this service does not store. No schema accepts it, and it cannot be stored. */
class ForeignValue {}

/** Converts an item to plain values. */
export function fromAttributes(attributes: Attributes): Record<string, unknown> {
  const item: Record<string, unknown> = {};
  for (const name in attributes) {
    item[name] = fromAttributeValue(attributes[name]);
  }
  return item;
}

/** Converts plain values to an item, without undefined members. @throws TypeError for types that this service does not store. */
export function toAttributes(item: Record<string, unknown>): Attributes {
  const attributes: Attributes = {};
  for (const [name, value] of Object.entries(item)) {
    // Assigning it would set the prototype.
    if (name === "__proto__") throw new TypeError("A member named __proto__ cannot be stored.");
    if (value !== undefined) {
      attributes[name] = toAttributeValue(value);
    }
  }
  return attributes;
}

function fromAttributeValue(value: AttributeValue | undefined): unknown {
  if (value?.S !== undefined) return value.S;
  if (value?.N !== undefined) return Number(value.N);
  if (value?.BOOL !== undefined) return value.BOOL;
  if (value?.NULL !== undefined) return null;
  if (value?.L !== undefined) return value.L.map(fromAttributeValue);
  if (value?.M !== undefined) return fromAttributes(value.M);
  return new ForeignValue();
}

function toAttributeValue(value: unknown): AttributeValue {
  if (typeof value === "string") return { S: value };
  if (typeof value === "number") return { N: String(value) };
  if (typeof value === "boolean") return { BOOL: value };
  if (value === null) return { NULL: true };
  if (Array.isArray(value)) return { L: value.map(toAttributeValue) };
  if (isPlainObject(value)) return { M: toAttributes({ ...value }) };
  throw new TypeError(`This kind of ${typeof value} cannot be stored.`);
}

/** False for dates, buffers and sets, whose content would be lost. */
function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
