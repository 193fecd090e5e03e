import * as z from "zod";
import { exampleOf } from "../resources/fields.ts";
import { namesOutOf, PageQuery } from "../resources/page.ts";
import { declarationOf, type ListOfAll, type LookUp, type Resource, resourceTypes } from "../resources/resource.ts";
import { InstantParameter, sortableInstant } from "../values/instant.ts";
import { LookUpText } from "../values/lookUp.ts";

/** The names in the example of `expand`, which the example of the response includes. */
export function exampleNames(names: readonly string[]): string[] {
  return names.slice(0, 2);
}

/** The query of a single resource. @param always the names that the response includes anyway. */
export function expandQuery({ expand = {} }: Pick<Resource, "expand">, always: readonly string[]) {
  const names = Object.keys(expand);
  if (names.length === 0) return undefined;
  const included = always.length > 0 ? ` The ${always.join(" and ")} are always included.` : "";
  const example = exampleNames(names.filter((name) => !always.includes(name)));
  return z.object({ expand: expandOf(names, example, included) });
}

type Parsed = PageQuery & { from?: string; to?: string; expand?: string[] } & Record<string, unknown>;

/**
 * The query of a list: its page, its range, the look-ups of the resource if the list has no parent, and `expand`.
 * @param names those that `expand` may name.
 */
export function listQuery(resource: Resource, listName: string, names: readonly string[]) {
  const list = declarationOf(resource, listName);
  const lookUps = lookUpsBeside(resource, listName);
  if (lookUps.length > 1 && "lookUp" in list)
    throw new Error(`Several look-ups of ${resource.type} need a list of all.`);
  const query = PageQuery.extend({
    ...("range" in list && list.range && rangeOf(resource, list.range)),
    ...lookUpParameters(resource, lookUps, "lookUp" in list),
    ...(names.length > 0 && { expand: expandOf(names, exampleNames(names), shorterPages(resource, names)) }),
  });
  // A member that the list does not declare is absent.
  return limited(query, lookUps) as z.ZodObject & z.ZodType<Parsed>;
}

/** The name of the list that a query selects, with the text to look up. */
export function selectedList(resource: Resource, listName: string, query: Record<string, unknown>) {
  for (const [name, { lookUp }] of lookUpsBeside(resource, listName)) {
    if (query[lookUp] !== undefined) return { name, text: String(query[lookUp]) };
  }
  return { name: listName, text: undefined };
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

function rangeOf({ type }: Resource, { verb, examples }: NonNullable<ListOfAll["range"]>) {
  const bound = (limit: string, example: string) =>
    InstantParameter.optional().meta({
      description: `Only ${resourceTypes[type].name}s that ${verb} ${limit}, ISO 8601. Without an offset it counts as UTC.`,
      examples: [example],
    });
  return { from: bound("at this time or later", examples.from), to: bound("before this time", examples.to) };
}

/** Adds the rules between parameters: `from` before `to`, and one look-up at most. */
function limited(query: z.ZodObject, lookUps: readonly [string, LookUp][]): z.ZodObject {
  if ("from" in query.shape) return query.refine(isInOrder, { path: ["to"], error: "Must not be before from." });
  return lookUps.reduce((refined, [, { lookUp: later }], index) => {
    const others = lookUps.slice(0, index).map(([, { lookUp }]) => lookUp);
    const isAlone = (values: Record<string, unknown>) =>
      values[later] === undefined || others.every((name) => values[name] === undefined);
    const error = `Must not be combined with ${others.join(" or ")}.`;
    // The rule is also checked if another parameter is invalid.
    return index === 0 ? refined : refined.refine(isAlone, { path: [later], error, when: () => true });
  }, query);
}

function isInOrder({ from, to }: Record<string, unknown>): boolean {
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
