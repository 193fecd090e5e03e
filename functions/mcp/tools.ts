import * as z from "zod";
import type { Endpoint, ToolPart } from "../api/endpoint.ts";
import { type JsonSchema, schemaConverter } from "../api/openapi/schemas.ts";
import { inReferenceOrder } from "../api/tags.ts";
import * as reads from "../endpoints/readEndpoints.ts";
import { PageQuery } from "../resources/page.ts";
import { fieldsArgument } from "./shortForm.ts";

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
    // The arguments' names say what the other operations of a list of everything limit it to.
    const starts = some.some(({ argument }) => argument === undefined)
      ? some.filter(({ argument }) => argument === undefined)
      : some;
    const summaries = starts.map(({ operation }) => `${operation.summary}.`);
    const hints = some.flatMap(({ hint = [] }) => hint);
    const operations = Object.fromEntries(some.map(({ argument = "", operation }) => [argument, operation]));
    return [name, { description: [...summaries, ...hints].join(" "), operations }] as const;
  });
  return Object.fromEntries(tools);
}

export const tools = toolsOf(Object.values(reads));

/**
 * An argument's schema. Only these keywords are in it, because libraries refuse or change others; the service checks the values
 * (docs/integrators/guides/assistants.md).
 */
export type ArgumentSchema = z.infer<typeof Shape> & { description?: string };

const schemas = new WeakMap<Tool, Record<string, ArgumentSchema>>();

/** The schemas of a tool's arguments by their names: the path's id under the name that selects the operation, the query, and `fields`. */
export function argumentsOf(tool: Tool): Record<string, ArgumentSchema> {
  const known = schemas.get(tool);
  if (known) return known;
  const { convert } = schemaConverter();
  const operations = Object.values(tool.operations);
  const named = new Set([
    ...Object.keys(PageQuery.shape),
    ...operations.flatMap(({ tool }) => fieldsOf(tool?.resource)),
  ]);
  const accepted = Object.keys(tool.operations).flatMap((name) => Object.entries(parametersOf(tool, name)));
  const all = Object.fromEntries(
    accepted.map(([name, field]) => [name, argumentSchema(convert(field), named.has(name) || isEnd(name))] as const),
  );
  if (operations.some(({ tool, query }) => tool?.resource && query)) all[fieldsArgument] = { type: "string" };
  schemas.set(tool, all);
  return all;
}

/** The zod schemas of the parameters that an operation of a tool accepts. */
export function parametersOf({ operations }: Tool, name: string): Record<string, z.core.$ZodType> {
  const { params, query } = operations[name] ?? {};
  return { ...(params && { [name]: params.shape.id }), ...query?.shape };
}

/** The end of a range, which the words of its beginning explain. */
function isEnd(name: string): boolean {
  return /(^|_)to$/.test(name);
}

function fieldsOf(resource: ToolPart["resource"]): string[] {
  return typeof resource === "object" ? Object.keys(resource.schema.shape) : [];
}

/** @param isNamed if the name says enough, as those of fields, of the parts of a page, of ids, and of lists with their values do. */
function argumentSchema(schema: JsonSchema, isNamed: boolean): ArgumentSchema {
  const [description] = /^.*?\.(?= |$)/.exec(schema.description ?? "") ?? [];
  const needsWords = schema.type === "string" && !isNamed && description !== undefined;
  return { ...Shape.parse(schema), ...(needsWords && { description }) };
}

const Shape = z.union([
  z.object({ type: z.enum(["string", "integer"]) }),
  z.object({
    type: z.literal("array"),
    items: z.object({ type: z.literal("string"), enum: z.array(z.string()).optional() }),
  }),
]);

export function describeTool(name: string, tool: Tool) {
  const [only, ...others] = Object.keys(tool.operations);
  return {
    name,
    description: tool.description,
    inputSchema: {
      type: "object" as const,
      properties: argumentsOf(tool),
      required: only && others.length === 0 ? [only] : [],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
}
