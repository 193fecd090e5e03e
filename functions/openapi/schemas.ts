import { isDeepStrictEqual } from "node:util";
import * as z from "zod";

export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** Turns zod schemas into JSON Schema, those with an `id` in their metadata into references to the document's components. */
export interface SchemaConverter {
  /** What was referred to so far, by id. */
  components: Record<string, JsonSchema>;
  /** The schema of what parsing gives: of a response what is served, of a parameter the value that its text stands for. */
  convert: (schema: z.core.$ZodType) => JsonSchema;
}

export function schemaConverter(): SchemaConverter {
  const components: Record<string, JsonSchema> = {};
  return {
    components,
    convert(schema) {
      const text = JSON.stringify(z.toJSONSchema(schema, { override: ({ jsonSchema }) => simplify(jsonSchema) }));
      const converted: JsonSchema = JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/'));
      const { $schema, $defs = {}, ...inline } = converted;
      for (const [id, component] of Object.entries($defs)) {
        const known = components[id] ?? component;
        if (!isDeepStrictEqual(known, component)) throw new Error(`Two different schemas have the id ${id}.`);
        components[id] = component;
      }
      return inline;
    },
  };
}

/** Says the same in the fewest words, since people read it: zod's own bounds and patterns would drown what was declared. */
function simplify(schema: JsonSchema): void {
  if (schema.type === "integer") simplifyInteger(schema);
  const { anyOf: [value, other, ...more] = [] } = schema;
  if (value === undefined || other === undefined || more.length > 0) return;
  if (other.type === "null" && typeof value.type === "string" && !("enum" in value || "const" in value)) {
    // The null beside its type, instead of two alternatives.
    delete schema.anyOf;
    Object.assign(schema, { ...value, ...schema, type: [value.type, "null"] });
  } else if (isPatternedText(value) && isPatternedText(other)) {
    // An ISO 8601 date or time: the description says what the two patterns say.
    delete schema.anyOf;
    schema.type = "string";
  }
}

function simplifyInteger(schema: JsonSchema): void {
  schema.format = "int64";
  if (schema.minimum === Number.MIN_SAFE_INTEGER) {
    delete schema.minimum;
    if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  }
  if (schema.exclusiveMinimum === 0) {
    delete schema.exclusiveMinimum;
    schema.minimum = 1;
  }
}

function isPatternedText({ type, pattern }: JsonSchema): boolean {
  return type === "string" && pattern !== undefined;
}
