import { marked } from "marked";
import * as z from "zod";
import { Html, html } from "./html.ts";

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

/** Markdown of the document's own texts, which contain no HTML. */
export function markdown(text = ""): Html {
  return new Html(marked.parse(text, { async: false }));
}

export function inlineMarkdown(text = ""): Html {
  return new Html(marked.parseInline(text, { async: false }));
}

/** The schema's type in words, with links to named schemas: "array of Ticket". */
export function typeOf(schema: Schema): Html {
  const { $ref, anyOf, oneOf, items, type } = schema;
  if ($ref !== undefined) return linkTo($ref);
  const choices = anyOf ?? oneOf;
  if (choices) return joined(choices.map(typeOf));
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  const values = schema.enum?.filter((value) => value !== null);
  if (values) return html`${joined(values.map((value) => html`<code>${String(value)}</code>`))}${orNull(type)}`;
  const names = [type ?? "any"].flat().filter((name) => name !== "null");
  if (items) return html`array of ${typeOf(items)}${orNull(type)}`;
  return html`${names.join(" or ")}${limitsOf(schema)}${orNull(type)}`;
}

function orNull(type: Schema["type"]): string {
  return Array.isArray(type) && type.includes("null") ? " or null" : "";
}

function joined(parts: Html[]): Html {
  return html`${parts.map((part, index) => (index === 0 ? part : html`${index === parts.length - 1 ? " or " : ", "}${part}`))}`;
}

function linkTo(ref: string): Html {
  const name = ref.split("/").at(-1) ?? "";
  return html`<a href="#schema/${name}">${name}</a>`;
}

/** Limits of the number format itself say nothing to a reader. */
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

/** The members of an object, each with its type and description. */
export function membersOf({ properties = {}, required = [] }: Schema): Html {
  return html`<dl class="members">
${Object.entries(properties).map(
  ([name, schema]) => html`<div>
<dt><code>${name}</code> <span class="type">${typeOf(schema)}${!required.includes(name) && ", optional"}</span></dt>
<dd>${inlineMarkdown(schema.description)}${nestedMembers(schema)}</dd>
</div>
`,
)}</dl>`;
}

/** The members of objects that have no name of their own. */
function nestedMembers({ items, properties, ...schema }: Schema): Html | false {
  if (properties) return membersOf({ ...schema, properties });
  return items?.properties !== undefined && membersOf(items);
}

export function schemaSection(name: string, schema: Schema): Html {
  const { description, anyOf, oneOf, properties } = schema;
  return html`<section id="schema/${name}" data-entry>
<h3>${name}</h3>
${markdown(description)}
${properties ? membersOf(schema) : (anyOf ?? oneOf ?? schema.enum) && html`<p>${typeOf(schema)}</p>`}
</section>
`;
}
