import type { Endpoint } from "../api/endpoint.ts";
import { parseJson } from "../parseJson.ts";
import { type InvalidValue, Problem } from "../problem.ts";
import { assertFields, fieldsArgument, invalidArguments } from "./shortForm.ts";
import { type ArgumentSchema, argumentsOf, parametersOf, type Tool } from "./tools.ts";
import { isFilter } from "./unknownArguments.ts";

/** Rows of a page by default, fewer than the API's: an assistant's model pays for each. */
const defaultRows = 20;

interface OperationCall {
  operation: Endpoint;
  pathParameters: Record<string, string>;
  queryParameters: Record<string, string[]>;
  /** The names in {@link fieldsArgument}. */
  fields: string[];
  /** The arguments that the tool does not have. */
  ignored: string[];
}

/**
 * The operation that a tool's arguments select, with its parameters. The operation itself checks their values. Clients that must fill every
 * argument write absent ones as null, "", [], 0 or, for a cursor, "none"; and some write numbers and lists as texts.
 * @throws Problem `invalid_request` that names each badly typed, unsuitable or missing argument, and each unknown one that looks like a filter.
 */
export function operationOf(tool: Tool, given: Readonly<Record<string, unknown>>): OperationCall {
  const schemas = argumentsOf(tool);
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(schemas, name));
  const filters = unknown.filter((name) => !isEmpty(given[name]) && given[name] !== 0 && isFilter(name));
  const known = `The tool's arguments are ${Object.keys(schemas).join(", ") || "none"}.`;
  refuse(
    filters.map((parameter) => ({ parameter, detail: "Unknown argument." })),
    known,
  );
  const values = valuesOf(schemas, given);
  const selector = selectorOf(tool, values);
  const { [selector]: operation } = tool.operations;
  if (!operation) throw new Error(`No operation ${selector}.`);
  const { [fieldsArgument]: text = "", ...parameters } = values;
  const accepted = parametersOf(tool, selector);
  const excluded = Object.keys(parameters).filter((name) => !(name in accepted));
  refuse(excluded.map((parameter) => ({ parameter, detail: `Not with ${selector || "these arguments"}.` })));
  const fields = String(text)
    .split(/[\s,]+/)
    .filter(Boolean);
  assertFields(fields, operation.tool?.resource);
  return { operation, ...requestOf(operation, selector, parameters), fields, ignored: unknown };
}

function refuse(errors: InvalidValue[], detail = invalidArguments): void {
  if (errors.length > 0) throw new Problem("invalid_request", detail, { errors });
}

function valuesOf(schemas: Record<string, ArgumentSchema>, given: Readonly<Record<string, unknown>>) {
  const values: Record<string, unknown> = {};
  const errors: InvalidValue[] = [];
  for (const [name, schema] of Object.entries(schemas)) {
    const value = Object.hasOwn(given, name) ? valueIn(given[name], schema) : undefined;
    if (isEmpty(value) || isAbsent(name, value)) continue;
    values[name] = value;
    const detail = faultOf(value, schema);
    if (detail !== undefined) errors.push({ parameter: name, detail });
  }
  refuse(errors);
  return values;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.every(isEmpty));
}

/** No id and no number of rows is 0. */
function isAbsent(name: string, value: unknown): boolean {
  return value === 0 || (name === "cursor" && /^(none|null|undefined)$/i.test(String(value)));
}

function requestOf(operation: Endpoint, selector: string, values: Record<string, unknown>) {
  const { [selector]: id, ...others } = values;
  const query: Record<string, unknown> = operation.params ? others : values;
  const page = "per_page" in (operation.query?.shape ?? {}) ? { per_page: defaultRows } : {};
  const written = Object.entries({ ...page, ...query }).map(([name, value]) => [name, [[value].flat().join()]]);
  return {
    pathParameters: operation.params ? { id: String(id) } : ({} as Record<string, string>),
    queryParameters: Object.fromEntries(written) as Record<string, string[]>,
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

/** The value that a client means. A list of names may also be a text, and a text of names a list. */
function valueIn(given: unknown, { type }: ArgumentSchema): unknown {
  if (type === "string") return isTexts(given) ? given.join() : given;
  if (typeof given !== "string") return given;
  const { value = given } = parseJson(given);
  return type === "array" && !Array.isArray(value) ? given.split(",").map((name) => name.trim()) : value;
}

function faultOf(value: unknown, { type }: ArgumentSchema): string | undefined {
  if (type === "integer") return Number.isSafeInteger(value) ? undefined : "Must be an integer.";
  if (type === "array") return isTexts(value) ? undefined : "Must be a list of names.";
  return typeof value === type ? undefined : `Must be a ${type}.`;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
