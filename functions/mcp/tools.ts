import type * as z from "zod";
import type { Endpoint } from "../api/endpoint.ts";
import { type JsonSchema, schemaConverter } from "../api/openapi/schemas.ts";
import { inReferenceOrder } from "../api/tags.ts";
import * as reads from "../endpoints/readEndpoints.ts";
import { excerpt } from "../log/logger.ts";
import { parseJson } from "../parseJson.ts";
import { type InvalidValue, Problem } from "../problem.ts";

/** A tool of the MCP server: one or more read operations that differ in their starting point. */
export interface Tool {
  /** The summaries and hints of its operations. */
  description: string;
  /** The name is the argument that selects the operation, and its value the id in the path. The empty name has the default operation. */
  operations: Readonly<Record<string, Endpoint>>;
}

/** The tools that read operations declare, by their names. */
export function toolsOf(endpoints: readonly Endpoint[]): Record<string, Tool> {
  const parts = inReferenceOrder(endpoints).map((operation) => {
    if (!operation.tool) throw new Error(`${operation.operationId} belongs to no tool.`);
    return { operation, ...operation.tool };
  });
  const tools = [...Map.groupBy(parts, ({ name }) => name)].map(([name, some]) => {
    const sentences = [
      ...some.map(({ operation }) => `${operation.summary}.`),
      ...some.flatMap(({ hint = [] }) => hint),
    ];
    const operations = Object.fromEntries(some.map(({ argument = "", operation }) => [argument, operation]));
    return [name, { description: sentences.join(" "), operations }] as const;
  });
  return Object.fromEntries(tools);
}

export const tools = toolsOf(Object.values(reads));

const schemas = new WeakMap<Tool, Record<string, JsonSchema>>();

/** The JSON schemas of a tool's arguments by their names: the path's id under the name that selects the operation, and the query. */
export function argumentsOf(tool: Tool): Record<string, JsonSchema> {
  const known = schemas.get(tool);
  if (known) return known;
  const { convert } = schemaConverter();
  const fieldsOf = Object.entries(tool.operations).map(([name, { params, query }]) => {
    const fields: Record<string, z.core.$ZodType> = { ...(params && { [name]: params.shape.id }), ...query?.shape };
    return { name, fields };
  });
  const all: Record<string, JsonSchema> = {};
  for (const [argument, field] of fieldsOf.flatMap(({ fields }) => Object.entries(fields))) {
    const { examples, format, pattern, description = "", ...schema } = convert(field);
    const isOwn = Object.hasOwn(tool.operations, argument);
    const others = fieldsOf.flatMap(({ name, fields }) => (isOwn || argument in fields ? [] : [name]));
    const limits = others.map((name) => ` Not ${name ? `with \`${name}\`` : "alone"}.`);
    // In JSON they are a list.
    const own = description.replace(", comma-separated", "");
    all[argument] = { ...schema, description: own + limits.join("") };
  }
  schemas.set(tool, all);
  return all;
}

export function describeTool(name: string, tool: Tool) {
  const names = Object.keys(tool.operations);
  const [only] = names;
  return {
    name,
    description: tool.description,
    inputSchema: {
      type: "object" as const,
      properties: argumentsOf(tool),
      ...(names.length === 1 && only && { required: [only] }),
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
}

interface OperationCall {
  operation: Endpoint;
  pathParameters: Record<string, string>;
  queryParameters: Record<string, string[]>;
}

/** Names the arguments that a tool does not have in its result: many clients add their own to every call. */
export function ignoredArguments(tool: Tool, values: Readonly<Record<string, unknown>>): string | undefined {
  const schemas = argumentsOf(tool);
  const names = Object.keys(values).filter((name) => !Object.hasOwn(schemas, name));
  if (names.length === 0) return undefined;
  return `Ignored arguments: ${names.map(excerpt).join(", ")}.`;
}

/**
 * The operation that a tool's arguments select, with its parameters. The operation itself checks their values. Clients send null or "" for
 * missing arguments, and numbers and lists as texts.
 * @throws Problem `invalid_request` that names each badly typed or missing argument.
 */
export function operationOf(tool: Tool, given: Readonly<Record<string, unknown>>): OperationCall {
  const values: Record<string, unknown> = {};
  const errors: InvalidValue[] = [];
  for (const [name, schema] of Object.entries(argumentsOf(tool))) {
    const value = Object.hasOwn(given, name) ? valueIn(given[name], schema) : undefined;
    if (value === undefined) continue;
    values[name] = value;
    const detail = faultOf(value, schema);
    if (detail !== undefined) errors.push({ parameter: name, detail });
  }
  if (errors.length > 0) throw new Problem("invalid_request", "The tool has invalid arguments.", { errors });
  const selector = selectorOf(tool, values);
  const { [selector]: operation } = tool.operations;
  if (!operation) throw new Error(`No operation ${selector}.`);
  const { [selector]: id, ...others } = operation.params ? values : { ...values, [selector]: undefined };
  const query = operation.params ? others : values;
  return {
    operation,
    pathParameters: operation.params ? { id: String(id) } : {},
    queryParameters: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [[value].flat().join()]])),
  };
}

function selectorOf({ operations }: Tool, values: object): string {
  const names = Object.keys(operations).filter((name) => name !== "");
  const given = names.filter((name) => Object.hasOwn(values, name));
  const [selector = "", second] = given;
  if (second !== undefined) throw oneOf(given, "Give only one of");
  if (!Object.hasOwn(operations, selector)) throw oneOf(names, names.length > 1 ? "Give one of" : "Required:");
  return selector;
}

function oneOf(names: readonly string[], words: string): Problem {
  return new Problem("invalid_request", `${words} ${names.join(", ")}.`);
}

/** The value that a client means; undefined if the argument is absent. */
function valueIn(given: unknown, { type }: JsonSchema): unknown {
  if (given === null || given === "") return undefined;
  if (typeof given !== "string" || type === "string") return given;
  const { value = given } = parseJson(given);
  return type === "array" && !Array.isArray(value) ? given.split(",").map((name) => name.trim()) : value;
}

function faultOf(value: unknown, { type, items }: JsonSchema): string | undefined {
  if (type === "integer") return Number.isSafeInteger(value) ? undefined : "Must be an integer.";
  if (type === "array" && items) return isTexts(value) ? undefined : "Must be a list of names.";
  return typeof value === type ? undefined : `Must be a ${type}.`;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
