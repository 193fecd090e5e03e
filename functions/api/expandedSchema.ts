import * as z from "zod";
import { exampleOf } from "../resources/fields.ts";
import { type Expansions, maximumChildren, type Resource, resourceTypes } from "../resources/resource.ts";
import { exampleNames } from "./readQuery.ts";

/** A resource with the members that `expand` adds, if any. @param always the names of those that it always has. */
export function expandedSchema(resource: Resource, expansions: Expansions, always: readonly string[]): z.ZodObject {
  const { schema, type } = resource;
  if (Object.keys(expansions).length === 0) return schema;
  const { name } = resourceTypes[type];
  const { id } = schema.meta() ?? {};
  const article = /^[aeiou]/.test(name) ? "An" : "A";
  const whole = always.map((one) => `its ${one}, and `).join("");
  return schema.extend(membersOf(resource, expansions, always)).meta({
    id: always.length === 0 ? `Expanded${id}` : `${id}With${always.map(capitalised).join("And")}`,
    description: `${article} ${name} with ${whole}the resources that \`expand\` names.`,
    get examples() {
      const shown = always.length > 0 ? always : exampleNames(Object.keys(expansions));
      const members = Object.entries(expansions).filter(([one]) => shown.includes(one));
      return [{ ...exampleOf(schema), ...Object.fromEntries(members.map(([one, to]) => [one, exampleIn(to)])) }];
    },
  });
}

function membersOf({ type }: Resource, expansions: Expansions, always: readonly string[]): z.ZodRawShape {
  const members = Object.entries(expansions).map(([name, expansion]) => {
    if ("one" in expansion) return { [name]: memberOf(name, expansion.field, expansion.one) };
    const path = `\`GET /v1/${resourceTypes[type].name}s/{id}/${name}\``;
    const rows = z.array(expansion.children.schema);
    const description = `The first ${maximumChildren} rows of ${path}, only with \`expand=${name}\`.`;
    const more = `Present, and true, only if the ${resourceTypes[type].name} has more ${name}. ${path} lists all of them.`;
    return {
      [name]: always.includes(name)
        ? rows.meta({ description: expansion.alwaysIncluded?.description })
        : rows.optional().meta({ description }),
      [`has_more_${name}`]: z.boolean().optional().meta({ description: more }),
    };
  });
  return Object.assign({}, ...members);
}

function memberOf(name: string, field: string, { schema }: Resource) {
  const description = `The resource of \`${field}\`, only with \`expand=${name}\`; null if it does not exist or was deleted.`;
  return schema.nullable().optional().meta({ description });
}

function exampleIn(expansion: Expansions[string]): unknown {
  if ("one" in expansion) return exampleOf(expansion.one.schema);
  return [exampleOf(expansion.children.schema)];
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
