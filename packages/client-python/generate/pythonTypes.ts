import { fileURLToPath } from "node:url";
import * as z from "zod";

export const pythonTypesFile = fileURLToPath(new URL("../src/ticketing_client/types.py", import.meta.url));

/** The supported constructs of schemas. {@link typeOf} rejects others, so that the types cannot be wrong. */
const Schema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.string().optional(),
  enum: z.array(z.string().nullable()).optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).default([]),
  description: z.string().default(""),
});
type Schema = z.infer<typeof Schema>;

/** Generates the content of {@link pythonTypesFile} from the schemas in the document of the operations that take an API key. */
export function pythonTypes({ components }: { components: { schemas: Record<string, unknown> } }): string {
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [name, Schema.parse(schema)] as const);
  const objects = schemas.filter(([, { properties }]) => properties);
  const unions = schemas.filter(([, { oneOf, anyOf }]) => oneOf ?? anyOf);
  const values = schemas.filter(([, { properties, oneOf, anyOf }]) => !(properties ?? oneOf ?? anyOf));
  const alias = ([name, schema]: readonly [string, Schema]) => `${name} = ${typeOf(schema)}\n`;
  return [
    '"""The API\'s schemas. Made by `npm run client:generate` from the OpenAPI document."""\n',
    "from __future__ import annotations\n",
    "from typing import Literal, TypedDict\n\nfrom typing_extensions import NotRequired\n",
    ...values.map(alias),
    ...objects.map(([name, schema]) => typedDict(name, schema)),
    ...unions.map(alias),
  ].join("\n");
}

function typedDict(name: string, { description, properties = {}, required }: Schema): string {
  const members = Object.entries(properties).map(([member, value]) => {
    const schema = Schema.parse(value);
    const type = typeOf(schema);
    const text = schema.description.replaceAll("\\", "\\\\").replaceAll('"""', "'''");
    return `    ${member}: ${required.includes(member) ? type : `NotRequired[${type}]`}\n${text && `    """${text}"""\n`}`;
  });
  return `\nclass ${name}(TypedDict):\n    """${description}"""\n\n${members.join("")}`;
}

/** The Python type of a schema. @throws Error for a construct that it does not know. */
export function typeOf(value: unknown): string {
  const { $ref, type, enum: values, const: only, items, anyOf, oneOf } = Schema.parse(value);
  if ($ref) return $ref.split("/").at(-1) ?? "";
  if (only !== undefined) return literal([only]);
  if (values) return literal(values);
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return alternatives.map(typeOf).join(" | ");
  return [type]
    .flat()
    .map((name) => {
      if (name === "array") return `list[${typeOf(items)}]`;
      const known = name === undefined ? undefined : pythonNames[name];
      if (known === undefined) throw new Error(`No Python type for ${JSON.stringify(value)}.`);
      return known;
    })
    .join(" | ");
}

const pythonNames: Partial<Record<string, string>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

function literal(values: readonly (string | null)[]): string {
  const texts = values.flatMap((value) => (value === null ? [] : [JSON.stringify(value)]));
  return `Literal[${texts.join(", ")}]${values.includes(null) ? " | None" : ""}`;
}
