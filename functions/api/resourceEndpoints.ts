import * as z from "zod";
import { repositoryOf } from "../records/resourceRepository.ts";
import { PageQuery, pageOf } from "../resources/page.ts";
import { type ListDeclaration, type Resource, resourceTypes } from "../resources/resource.ts";
import { apiKeyHolder } from "./callers.ts";
import { type Declaration, type Endpoint, endpoint } from "./endpoint.ts";
import { idOf } from "./pathParameters.ts";

type Words = Pick<
  Declaration<never, never, never, never, never>,
  "operationId" | "path" | "tag" | "summary" | "description"
>;

export function getEndpoint(resource: Resource, words: Words): Endpoint {
  return endpoint(
    {
      ...words,
      method: "GET",
      caller: apiKeyHolder("read"),
      tableAccess: "organisationData",
      table: ["GetItem"],
      repositories: { rows: repositoryOf(resource) },
      params: idOf(resourceTypes[resource.type].name),
      response: resource.schema,
    },
    ({ params }, { rows }) => rows.get(params.id),
  );
}

/** An endpoint for a declared list: all rows, or the rows of the parent in the path. The description gets their order. */
export function listEndpoint<const Declared extends Resource>(
  resource: Declared,
  name: keyof Declared["lists"] & string,
  words: Words,
): Endpoint {
  const list = resource.lists[name] as ListDeclaration;
  const parent = "under" in list ? { params: idOf(resourceTypes[list.under].name) } : {};
  const { description = "", ...rest } = words;
  return endpoint(
    {
      ...rest,
      description: `${description} ${orderOf(resource, list)}`.trim(),
      method: "GET",
      caller: apiKeyHolder("read"),
      tableAccess: "organisationData",
      // The parent must exist.
      table: "under" in list ? ["Query", "GetItem"] : ["Query"],
      repositories: { rows: repositoryOf<Resource>(resource) },
      ...parent,
      query: PageQuery,
      response: pageOf(resource.schema),
    },
    ({ params, query }, { rows }) => {
      // The name is one of the declared lists.
      const page = rows[name] as NonNullable<(typeof rows)[string]>;
      return "under" in list ? page(params.id, query) : page(query);
    },
  );
}

function orderOf({ schema }: Resource, { order }: ListDeclaration): string {
  const { instant, integer, direction } = order;
  const byId = `\`id\` ${direction}`;
  const field = instant ?? integer;
  if (field === undefined) return `Ordered by ${byId}.`;
  const nulls = schema.shape[field] instanceof z.ZodNullable ? ", null last" : "";
  return `Ordered by \`${field}\` ${direction}${instant ? " as instants" : ""}${nulls}, then by ${byId}.`;
}
