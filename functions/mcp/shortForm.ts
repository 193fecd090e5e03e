import type { ToolPart } from "../api/endpoint.ts";
import { Problem } from "../problem.ts";
import { resources } from "../resources/index.ts";
import { declarationOf, type Expansion, type Resource, type ResourceType } from "../resources/resource.ts";

type Row = Record<string, unknown>;

const resourceOf: Readonly<Record<ResourceType, Resource>> = resources;

/** The argument with which an assistant gets more than the short form, and its value for everything. */
export const fieldsArgument = "fields";
const allFields = "all";

/**
 * Leaves the short form of each row of a page, and of each resource that `expand` includes, with the fields that `more` names. A resource that is
 * the whole response keeps its own fields. `more_fields` in the result names the fields that were left out.
 */
export function shortened(body: object, resource: ToolPart["resource"], more: readonly string[]): object {
  if (resource === undefined || more.includes(allFields)) return body;
  const omitted = new Set<string>();
  const isShown = (field: string, { short }: Resource) => {
    const shown = short.includes(field) || more.includes(field);
    if (!shown) omitted.add(field);
    return shown;
  };
  const short =
    "data" in body && Array.isArray(body.data)
      ? { ...body, data: body.data.map((row) => shortRow(row, resource, isShown)) }
      : shortRow(Object(body), resource, () => true, isShown);
  return omitted.size === 0 ? short : { ...short, more_fields: [...omitted].join(", ") };
}

type IsShown = (field: string, resource: Resource) => boolean;

/** @param isShown for its own fields. @param isMemberShown for the fields of the resources in it. */
function shortRow(row: Row, resource: Resource | "changes", isShown: IsShown, isMemberShown = isShown): Row {
  if (resource !== "changes") return shortResource(row, resource, isShown, isMemberShown);
  const { type, data } = row as { type: ResourceType; data: Row | null };
  return { ...row, data: data && shortResource(data, resourceOf[type], isShown, isMemberShown) };
}

function shortResource(row: Row, resource: Resource, isShown: IsShown, isMemberShown: IsShown): Row {
  const { schema, expand = {} } = resource;
  const members = Object.entries(row).flatMap(([name, value]) => {
    const { [name]: expansion } = expand;
    if (expansion) return [[name, shortMember(value, expansion, isMemberShown)] as const];
    return !(name in schema.shape) || isShown(name, resource) ? [[name, value] as const] : [];
  });
  return Object.fromEntries(members);
}

function shortMember(value: unknown, expansion: Expansion, isShown: IsShown): unknown {
  if (value === null) return null;
  if ("one" in expansion) return shortResource(Object(value), resourceOf[expansion.one], isShown, isShown);
  const resource = resourceOf[expansion.children];
  const list = declarationOf(resource, expansion.list);
  // Their parent is the row that they are in.
  const isNoParent = (field: string) => !("under" in list) || list.field !== field;
  const isOwnShown: IsShown = (field, of) => isNoParent(field) && isShown(field, of);
  return (value as Row[]).map((row) => shortResource(row, resource, isOwnShown, isShown));
}

/** @throws Problem `invalid_request` if nothing in the response could have one of the fields. */
export function assertFields(more: readonly string[], resource: ToolPart["resource"]): void {
  if (resource === undefined) return;
  const known = new Set([allFields, ...partsOf(resource).flatMap(({ schema }) => Object.keys(schema.shape))]);
  if (more.every((name) => known.has(name))) return;
  const errors = [{ parameter: fieldsArgument, detail: `Must be names out of ${[...known].join(", ")}.` }];
  throw new Problem("invalid_request", invalidArguments, { errors });
}

/** The message of a problem whose `errors` name the arguments. */
export const invalidArguments = "The tool has invalid arguments.";

function partsOf(resource: Resource | "changes"): Resource[] {
  if (resource === "changes") return Object.values(resourceOf);
  const members = Object.values(resource.expand ?? {}).map((to) => ("one" in to ? to.one : to.children));
  return [resource, ...members.map((type) => resourceOf[type])];
}
