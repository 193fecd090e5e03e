import { isDeepStrictEqual } from "node:util";
import * as z from "zod";

export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** Converts zod schemas to JSON Schema. Schemas with an `id` in their metadata become references to the document's components. */
export interface SchemaConverter {
  /** The schemas referenced so far, by id. */
  components: Record<string, JsonSchema>;
  /** Describes the schema's output: the body of a response, or the parsed value of a parameter. */
  convert: (schema: z.core.$ZodType) => JsonSchema;
}

export function schemaConverter(): SchemaConverter {
  const components: Record<string, JsonSchema> = {};
  return {
    components,
    convert(schema) {
      const text = JSON.stringify(z.toJSONSchema(schema, { override }));
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

function override({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  const { def } = zodSchema._zod;
  // Only a strict object rejects unknown members. Responses may get new ones, which clients must ignore.
  if (def.type === "object" && def.catchall === undefined) delete jsonSchema.additionalProperties;
  // Every operation that returns a page has its example.
  if (def.type === "object" && "pagination" in def.shape) delete jsonSchema.examples;
  // Several generators make code from it that does not compile. The descriptions state the default.
  if (Array.isArray(jsonSchema.default)) delete jsonSchema.default;
  simplify(jsonSchema);
}

/** Removes zod's implied bounds and patterns, so that readers see the declared ones. */
function simplify(schema: JsonSchema): void {
  if (schema.type === "integer") simplifyInteger(schema);
  // RegExp.source escapes slashes; JSON Schema does not.
  if (schema.pattern !== undefined) schema.pattern = schema.pattern.replaceAll("\\/", "/");
  // The format is enough, and generated clients may not know the pattern's syntax.
  if (schema.format !== undefined) delete schema.pattern;
  const { anyOf: [value, other, ...more] = [] } = schema;
  if (value === undefined || other === undefined || more.length > 0) return;
  if (other.type === "null" && typeof value.type === "string" && !("enum" in value || "const" in value)) {
    // zod may visit the alternative only later.
    simplify(value);
    // `type: [T, null]` instead of two alternatives.
    delete schema.anyOf;
    Object.assign(schema, { ...value, ...schema, type: [value.type, "null"] });
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
