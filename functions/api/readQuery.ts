import * as z from "zod";
import { exampleOf } from "../resources/fields.ts";
import { namesOutOf, PageQuery } from "../resources/page.ts";
import {
  declarationOf,
  type ListDeclaration,
  type ListOfAll,
  type LookUp,
  type Resource,
  resourceTypes,
} from "../resources/resource.ts";
import { InstantParameter, sortableInstant } from "../values/instant.ts";
import { LookUpText } from "../values/lookUp.ts";

/** The names in the example of `expand`, which the example of the response includes. */
export function exampleNames(names: readonly string[]): string[] {
  return names.slice(0, 2);
}

/** The query of a single resource. @param names those that `expand` may name. @param always the names that the response includes anyway. */
export function expandQuery(names: readonly string[], always: readonly string[]) {
  if (names.length === 0) return undefined;
  const included = always.length > 0 ? ` The ${always.join(" and ")} are always included.` : "";
  const example = exampleNames(names.filter((name) => !always.includes(name)));
  return z.object({ expand: expandOf(names, example, included) });
}

type Parsed = PageQuery & { expand?: string[] } & Record<string, unknown>;

/**
 * The query of a list: its page, its range, the look-ups of the resource if the list has no parent, and `expand`.
 * @param names those that `expand` may name.
 */
export function listQuery(resource: Resource, listName: string, names: readonly string[]) {
  const list = declarationOf(resource, listName);
  const lookUps = lookUpsBeside(resource, listName);
  if (lookUps.length > 1 && "lookUp" in list)
    throw new Error(`Several look-ups of ${resource.type} need a list of all.`);
  const bounds = boundsOf(list);
  const query = PageQuery.extend({
    ...(bounds && rangeParameters(resource, list, bounds)),
    ...lookUpParameters(resource, lookUps, "lookUp" in list),
    ...(names.length > 0 && { expand: expandOf(names, exampleNames(names), shorterPages(resource, names)) }),
  });
  // A member that the list does not declare is absent.
  return limited(query, lookUps, bounds) as z.ZodObject & z.ZodType<Parsed>;
}

/** The name of the list that a query selects, with the text to look up and the range of instants. */
export function selectedList(resource: Resource, listName: string, query: Record<string, unknown>) {
  const bounds = boundsOf(declarationOf(resource, listName));
  const textOf = (parameter: string | undefined) =>
    parameter === undefined || query[parameter] === undefined ? undefined : String(query[parameter]);
  const range = { from: textOf(bounds?.from), to: textOf(bounds?.to) };
  for (const [name, { lookUp }] of lookUpsBeside(resource, listName)) {
    const text = textOf(lookUp);
    if (text !== undefined) return { name, text, range };
  }
  return { name: listName, text: undefined, range };
}

/** The look-ups that a query of this list may use instead, by their names. */
function lookUpsBeside(resource: Resource, listName: string): [name: string, LookUp][] {
  if ("under" in declarationOf(resource, listName)) return [];
  return Object.entries(resource.lists).flatMap(([name, list]) => ("lookUp" in list ? [[name, list]] : []));
}

function lookUpParameters({ schema }: Resource, lookUps: readonly [string, LookUp][], isRequired: boolean) {
  const text = isRequired ? LookUpText : LookUpText.optional();
  const fields = lookUps.map(([, { lookUp }]) => lookUp);
  const parameters = lookUps.map(([, { lookUp, description }], index) => {
    const others = fields.slice(0, index).map((field) => ` Not with \`${field}\`.`);
    const metadata = {
      description: description + others.join(""),
      get examples() {
        return index === 0 ? [exampleOf(schema)[lookUp]] : [];
      },
    };
    return [lookUp, text.meta(metadata)] as const;
  });
  return Object.fromEntries(parameters);
}

/** A range of instants, with the names of the parameters that limit it. */
interface Bounds {
  range: NonNullable<ListOfAll["range"]>;
  from: string;
  to: string;
}

function boundsOf(list: ListDeclaration): Bounds | undefined {
  if (!("range" in list) || !list.range) return undefined;
  const { range } = list;
  const { prefix = "" } = range;
  return { range, from: `${prefix}from`, to: `${prefix}to` };
}

function rangeParameters({ type, schema }: Resource, { order }: ListDeclaration, { range, from, to }: Bounds) {
  const { verb, examples } = range;
  const { name } = resourceTypes[type];
  const { instant = "" } = order;
  const nulls =
    schema.shape[instant] instanceof z.ZodNullable ? ` A ${name} without \`${instant}\` is in no range.` : "";
  const bound = (limit: string, example: string) =>
    InstantParameter.optional().meta({
      description: `Only ${name}s that ${verb} ${limit}, ISO 8601. Without an offset it counts as UTC.${nulls}`,
      examples: [example],
    });
  return { [from]: bound("at this time or later", examples.from), [to]: bound("before this time", examples.to) };
}

/** Adds the rules between parameters: a range that begins before its end, and one look-up at most. */
function limited(query: z.ZodObject, lookUps: readonly [string, LookUp][], bounds: Bounds | undefined): z.ZodObject {
  const ordered = bounds
    ? query.refine((values) => isInOrder(values[bounds.from], values[bounds.to]), {
        path: [bounds.to],
        error: `Must not be before ${bounds.from}.`,
      })
    : query;
  return lookUps.reduce((refined, [, { lookUp: later }], index) => {
    const others = lookUps.slice(0, index).map(([, { lookUp }]) => lookUp);
    const isAlone = (values: Record<string, unknown>) =>
      values[later] === undefined || others.every((name) => values[name] === undefined);
    const error = `Must not be combined with ${others.join(" or ")}.`;
    // The rule is also checked if another parameter is invalid.
    return index === 0 ? refined : refined.refine(isAlone, { path: [later], error, when: () => true });
  }, ordered);
}

function isInOrder(from: unknown, to: unknown): boolean {
  if (typeof from !== "string" || typeof to !== "string") return true;
  return sortableInstant(from) <= sortableInstant(to);
}

function shorterPages({ type, expand = {} }: Resource, names: readonly string[]): string {
  const children = names.filter((name) => "children" in (expand[name] ?? {}));
  if (children.length === 0) return "";
  const all = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(children);
  return ` With ${all}, a page may have fewer ${resourceTypes[type].name}s than \`per_page\`.`;
}

function expandOf(names: readonly string[], example: readonly string[], further: string) {
  return namesOutOf(names, "names")
    .default([])
    .meta({
      description: `What to include, comma-separated: ${names.join(", ")}. Included resources may lack changes of the last second.${further}`,
      examples: [example],
      minItems: 1,
      uniqueItems: true,
    });
}
