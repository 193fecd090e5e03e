import * as z from "zod";
import { resourceRepository } from "../records/resourceRepository.ts";
import { pageOf } from "../resources/page.ts";
import {
  alwaysIncludedIn,
  declarationOf,
  type Expansions,
  expansionsOf,
  type ListDeclaration,
  pluralOf,
  type Resource,
  type ResourceOf,
  resourceTypes,
} from "../resources/resource.ts";
import type { TableAction } from "../table/table.ts";
import { apiKeyHolder } from "./callers.ts";
import { type Declaration, type Endpoint, endpoint, type ToolPart } from "./endpoint.ts";
import { expandedSchema } from "./expandedSchema.ts";
import { idOf } from "./pathParameters.ts";
import { expandQuery, listQuery, selectedList } from "./readQuery.ts";

type Words = Pick<
  Declaration<never, never, never, never, never>,
  "operationId" | "path" | "tag" | "summary" | "description"
> & {
  /** {@link ToolPart.hint} */
  hint?: string;
  /** The resources, if `expand` may include those that the resource declares. */
  expands?: ResourceOf;
};

/** An endpoint for a single resource, with what it may expand. @param words.tool by default, it belongs to the tool for any single resource. */
export function getEndpoint(
  resource: Resource,
  { tool = "get_record", hint, expands, ...words }: Words & { tool?: string },
): Endpoint {
  const { name } = resourceTypes[resource.type];
  const expansions = expansionsOf(resource, expands);
  const query = expandQuery(Object.keys(expansions), alwaysIncludedIn(expansions));
  return endpoint(
    {
      ...words,
      method: "GET",
      caller: apiKeyHolder("read"),
      tableAccess: "organisationData",
      table: ["GetItem", ...expandActions(expansions, "Query")],
      repositories: { rows: resourceRepository(resource, expansions) },
      params: idOf(name),
      tool: { name: tool, argument: argumentOf(name), resource, ...(hint && { hint }) },
      ...(query && { query }),
      response: () => singleSchema(resource, expands),
    },
    ({ params, query }, { rows }) => rows.get(params.id, query?.expand),
  );
}

/** A resource as its own endpoint returns it. */
export function singleSchema(resource: Resource, expands?: ResourceOf): z.ZodObject {
  const expansions = expansionsOf(resource, expands);
  return expandedSchema(resource, expansions, alwaysIncludedIn(expansions));
}

/**
 * An endpoint for a declared list: the rows of the parent in the path, or those of the whole organisation, which the resource's look-ups limit. The
 * description gets their order.
 */
export function listEndpoint<const Declared extends Resource>(
  resource: Declared,
  name: keyof Declared["lists"] & string,
  words: Words,
): Endpoint {
  const list = declarationOf(resource, name);
  const { description = "", expands, hint, ...rest } = words;
  const expansions = expansionsOf(resource, expands);
  return endpoint(
    {
      ...rest,
      description: `${description} ${orderOf(resource, list)}`.trim(),
      method: "GET",
      caller: apiKeyHolder("read"),
      tableAccess: "organisationData",
      // The parent must exist.
      table: [
        "Query",
        ...("under" in list ? (["GetItem"] as const) : []),
        ...expandActions(expansions, "ExecuteStatement"),
      ],
      repositories: { rows: resourceRepository(resource, expansions) },
      ...("under" in list && { params: idOf(resourceTypes[list.under].name) }),
      query: listQuery(resource, name, Object.keys(expansions)),
      tool: { ...listTool(resource, list), resource, ...(hint && { hint }) },
      response: () => pageOf(expandedSchema(resource, expansions, [])),
    },
    ({ params, query }, { rows }) => {
      const { name: selected, text, range } = selectedList(resource, name, query);
      return rows.list(selected, params?.id ?? text, { ...query, ...range });
    },
  );
}

/** The tool for all lists of a resource. The parent's id selects a list, or the text that it needs. */
function listTool({ type }: Resource, list: ListDeclaration): ToolPart {
  const name = `list_${pluralOf(type).replaceAll(" ", "_")}`;
  if ("under" in list) return { name, argument: argumentOf(resourceTypes[list.under].name) };
  return "lookUp" in list ? { name, argument: list.lookUp } : { name };
}

function argumentOf(name: string): string {
  return `${name.replaceAll(" ", "_")}_id`;
}

/** @param ofChildren the action that reads children. */
function expandActions(expansions: Expansions, ofChildren: TableAction): TableAction[] {
  const all = Object.values(expansions);
  return [
    ...(all.some((one) => "children" in one) ? [ofChildren] : []),
    ...(all.some((one) => "one" in one) ? (["BatchGetItem"] as const) : []),
  ];
}

function orderOf({ schema }: Resource, { order }: ListDeclaration): string {
  const { instant, integer, direction } = order;
  const byId = `\`id\` ${direction}`;
  const field = instant ?? integer;
  if (field === undefined) return `Ordered by ${byId}.`;
  const nulls = schema.shape[field] instanceof z.ZodNullable ? ", null last" : "";
  return `Ordered by \`${field}\` ${direction}${instant ? " as instants, without an offset as UTC" : ""}${nulls}, then by ${byId}.`;
}
