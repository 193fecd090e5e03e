import * as z from "zod";
import { recordResources } from "../../../functions/resources/index.ts";
import type { Resource } from "../../../functions/resources/resource.ts";
import { acceptedInstants } from "../../support/data/instants.ts";

/** A record as a sender writes it, except deletions. */
export interface SentRecord {
  type: keyof typeof recordResources;
  organisation_id: number;
  version?: number;
  data: Record<string, unknown>;
  [extraFields: string]: unknown;
}

const greatest = Number.MAX_SAFE_INTEGER;
const controls = String.fromCharCode(...Array.from({ length: 0x1f }, (_, index) => index + 1), 0x7f);

/** Texts that any field for a text accepts. */
const texts: readonly string[] = [
  "",
  "a",
  "🎭",
  `x${controls}x`,
  "line\u2028separator\u2029paragraph",
  "\ufeffbyte order marks\ufeff",
  "👩🏽‍🚀👨‍👩‍👧‍👦🏴‍☠️🇬🇧",
  "\u202eשלום، مرحبا\u202c\u200f",
  "e\u0301 A\u030a \u1100\u1161\u11a8 \u0344 ﬁ ｅ \u2126",
  "ß ẞ ı İ ſ ς Σ ǅ",
  '\\ \\\\ \\n \\u0041 " \' ` ""',
  "</script><!-- ]]> &amp; <b>",
  " \t\u00a0\u3000 white space around \u2003\r\n ",
  "\u0085\u180e\u200b",
  " ",
  "\u{fffe}\u{ffff}\u{1fffe}\u{10ffff}",
  "%2B+%20 &a=b#c?d/e;f",
  "__proto__",
  "null",
  '{"a":[1]}',
  "=1+1",
  "0",
  "ORG#1#EVENT#1",
];

/** The longest that can be looked up, of characters with one, two, three and four bytes. */
const longestLookUps = ["9".repeat(2_048), "é".repeat(1_024), `${"‰".repeat(682)}xy`, "🎭".repeat(512)];
const damaged = "J\ufffdrgen";

/** Eight bytes in UTF-8, and many more in JSON. */
const longText = '\u0001é🎭"';
/** An item may have 400 KB, an order about 20 KB less. */
const longBytes = 360_000;

/** The short values of a field at its limits. */
function limitsOf(field: z.core.$ZodType, isLookedUp = false): unknown[] {
  if (field instanceof z.ZodNullable) return [...limitsOf(field.unwrap(), isLookedUp), null];
  if (field instanceof z.ZodArray) return listsOf(field);
  if (field instanceof z.ZodBoolean) return [false, true];
  if (field instanceof z.ZodEnum) return field.options;
  if (!(field instanceof z.ZodNumber) && !(field instanceof z.ZodString)) return [];
  const accepts = (value: unknown) => field.safeParse(value).success;
  if (field instanceof z.ZodNumber)
    return field.isInt
      ? [-greatest, -1, 0, 1, greatest].filter(accepts)
      : [0, 100, 0.1, 33.3, 1e-7, 1e-130].filter(accepts);
  if (accepts("any text")) return [...texts, ...(isLookedUp ? longestLookUps : [damaged])];
  return [Object.keys(acceptedInstants), ["AAA", "GBP", "ZZZ"]].find((kind) => kind.some(accepts)) ?? [];
}

function listsOf({ element }: z.ZodArray): unknown[] {
  if (!(element instanceof z.ZodObject)) return [[], ...limitsOf(element).map((one) => [one]), limitsOf(element)];
  const elements = rowsOf(element.shape);
  const nullable = Object.keys(element.shape).filter((name) => element.shape[name] instanceof z.ZodNullable);
  const nulls = Array.from({ length: 2 ** nullable.length }, (_, set) => ({
    ...elements[set],
    ...Object.fromEntries(nullable.map((name, at) => [name, (set >> at) % 2 === 0 ? "a" : null])),
  }));
  return [[], ...nulls.flatMap((one) => nulls.map((other) => [one, other])), elements];
}

/** Makes the field's longest value of at most this number of bytes in DynamoDB; undefined for a short field. */
function longestOf(field: z.core.$ZodType): ((bytes: number) => unknown) | undefined {
  if (field instanceof z.ZodNullable) return longestOf(field.unwrap());
  if (field instanceof z.ZodString)
    return field.safeParse("any text").success ? (bytes) => longText.repeat(bytes / 8) : undefined;
  if (!(field instanceof z.ZodArray)) return undefined;
  const elements = field.element instanceof z.ZodObject ? rowsOf(field.element.shape) : [greatest];
  const bytesEach = Buffer.byteLength(JSON.stringify(elements)) + 100;
  return (bytes) => Array.from({ length: bytes / bytesEach }, () => elements).flat();
}

/** Rows in which each field has each of its limits. Its members are in reverse order, because an API need not keep a sender's order. */
function rowsOf(shape: z.ZodRawShape, lookedUp: string[] = []): Record<string, unknown>[] {
  const limits = Object.entries(shape).map(
    ([name, field]) => [name, limitsOf(field, lookedUp.includes(name))] as const,
  );
  for (const [name, values] of limits) if (values.length === 0) throw new Error(`The limits of ${name} are unknown.`);
  const rows = Math.max(...limits.map(([, values]) => values.length));
  return Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(limits.map(([name, values], at) => [name, values[(row + at) % values.length]]).reverse()),
  );
}

/** Records of every type in which each field has each of its limits, and one of nearly the size of an item. The ids 1 and 2^53 − 1 exist of every type. */
export function limitRecords(organisation_id: number): SentRecord[] {
  return Object.values<Resource>(recordResources).flatMap(({ type, schema, extraFields = {}, lists }) => {
    const lookedUp = Object.values(lists).flatMap((list) => ("lookUp" in list ? [list.lookUp] : []));
    const rows = rowsOf({ ...schema.shape, ...extraFields }, lookedUp);
    const long = Object.entries(schema.shape).flatMap(([name, field]) => {
      const longest = lookedUp.includes(name) ? undefined : longestOf(field);
      return longest ? [[name, longest] as const] : [];
    });
    const bytes = longBytes / long.length;
    rows.push({ ...rows[0], ...Object.fromEntries(long.map(([name, longest]) => [name, longest(bytes)])) });
    return rows.map((row, index) => {
      const data: Record<string, unknown> = { ...row, id: index === 1 ? greatest : index + 1 };
      if ("organisation_id" in data) data.organisation_id = organisation_id;
      const parents = Object.keys(extraFields).map((name) => [name, data[name]] as const);
      for (const [name] of parents) delete data[name];
      const version = [undefined, 0, greatest][index % 3];
      return {
        // Object.values loses that these are the types of records.
        type: type as SentRecord["type"],
        organisation_id,
        ...(version !== undefined && { version }),
        ...Object.fromEntries(parents),
        data,
      };
    });
  });
}
