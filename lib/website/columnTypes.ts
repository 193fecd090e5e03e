import * as z from "zod";
import { resources } from "../../functions/resources/index.ts";
import type { Resource } from "../../functions/resources/resource.ts";

/** A value's JSON type, without formats and limits. Any value may be null. */
export type ValueType =
  | { type: "integer" | "number" | "string" | "boolean" }
  | { type: "array"; items: ValueType }
  | { type: "object"; properties: Record<string, ValueType> };

/** The fields of each type of resource, with those that its changes have beside `data`. */
export function fieldTypes(): Record<string, Record<string, ValueType>> {
  const entries = Object.values<Resource>(resources).map(({ type, schema, extraFields }) => {
    return [type, fieldTypesOf({ ...schema.shape, ...extraFields })] as const;
  });
  return Object.fromEntries(entries);
}

/** Without optional fields, which only `expand` adds. */
export function fieldTypesOf(shape: z.ZodRawShape): Record<string, ValueType> {
  const present = Object.entries(shape).filter(([, field]) => !(field instanceof z.ZodOptional));
  return mapValues(Object.fromEntries(present), valueTypeOf);
}

/** A table's columns for each type of resource, in DuckDB's types. Arrow's libraries also take them, except those of nested fields. */
export function columnTypes(): Record<string, Record<string, string>> {
  return mapValues(fieldTypes(), (fields) => mapValues(fields, columnTypeOf));
}

const scalars = { integer: "int64", number: "double", string: "string", boolean: "bool" } as const;

function columnTypeOf(value: ValueType): string {
  if (value.type === "array") return `${columnTypeOf(value.items)}[]`;
  if (value.type !== "object") return scalars[value.type];
  const members = Object.entries(value.properties).map(([name, member]) => `${name} ${columnTypeOf(member)}`);
  return `struct(${members.join(", ")})`;
}

const Scalar = z.object({ type: z.enum(["integer", "number", "string", "boolean"]) });

/** @throws z.ZodError for a field that has several types besides null. */
function valueTypeOf(field: z.core.$ZodType): ValueType {
  if (field instanceof z.ZodNullable) return valueTypeOf(field.unwrap());
  if (field instanceof z.ZodArray) return { type: "array", items: valueTypeOf(field.element) };
  if (field instanceof z.ZodObject) return { type: "object", properties: mapValues(field.shape, valueTypeOf) };
  return Scalar.parse(z.toJSONSchema(field));
}

function mapValues<From, To>(object: Record<string, From>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}
