import * as z from "zod";

/** The part of JSON Schema that the document uses. */
const BaseSchema = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  required: z.array(z.string()).optional(),
  examples: z.array(z.unknown()).optional(),
});
export interface Schema extends z.infer<typeof BaseSchema> {
  items?: Schema | undefined;
  anyOf?: Schema[] | undefined;
  oneOf?: Schema[] | undefined;
  properties?: Record<string, Schema> | undefined;
}
export const Schema: z.ZodType<Schema> = BaseSchema.extend({
  items: z.lazy(() => Schema).optional(),
  anyOf: z.lazy(() => z.array(Schema)).optional(),
  oneOf: z.lazy(() => z.array(Schema)).optional(),
  properties: z.lazy(() => z.record(z.string(), Schema)).optional(),
});

/** A member of an object, or a parameter. Its type and description are Markdown. */
export interface Field {
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
  /** The members of unnamed objects. */
  fields: Field[];
}

export function fieldsOf({ properties = {}, required = [] }: Schema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeOf(schema),
    isRequired: required.includes(name),
    description: schema.description ?? "",
    fields: fieldsOf(schema.items ?? schema),
  }));
}

/** The schema's type as Markdown, with links to named schemas: "array of [Ticket](#schema/Ticket)". */
export function typeOf(schema: Schema): string {
  const { $ref, anyOf, oneOf, items, type } = schema;
  if ($ref !== undefined) return `[${nameOf($ref)}](#schema/${nameOf($ref)})`;
  const choices = anyOf ?? oneOf;
  if (choices) return joined(choices.map(typeOf));
  if (type === "null") return "null";
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  const values = schema.enum?.filter((value) => value !== null);
  if (values) return joined(values.map((value) => `\`${value}\``)) + orNull(type);
  const names = [type ?? "any"].flat().filter((name) => name !== "null");
  if (items) return `array of ${typeOf(items)}${orNull(type)}`;
  return names.join(" or ") + limitsOf(schema) + orNull(type);
}

export function nameOf(ref: string): string {
  return ref.split("/").at(-1) ?? "";
}

function orNull(type: Schema["type"]): string {
  return Array.isArray(type) && type.includes("null") ? " or null" : "";
}

function joined(parts: string[]): string {
  return [parts.slice(0, -1).join(", "), ...parts.slice(-1)].filter((part) => part !== "").join(" or ");
}

/** Omits the limits of the number format itself. */
function limitsOf({ format, minimum, maximum, minLength, maxLength, ...schema }: Schema): string {
  const isOwn = (limit: number | undefined) => limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER;
  const limits = [
    format !== undefined && format !== "int64" && format,
    isOwn(minimum) && `at least ${minimum}`,
    isOwn(maximum) && `at most ${maximum}`,
    minLength !== undefined && minLength === maxLength && `${minLength} characters`,
    maxLength !== undefined && minLength !== maxLength && `at most ${maxLength} characters`,
    schema.default !== undefined && !Array.isArray(schema.default) && `default ${JSON.stringify(schema.default)}`,
  ];
  const said = limits.filter((limit) => limit !== false);
  return said.length > 0 ? ` (${said.join(", ")})` : "";
}
