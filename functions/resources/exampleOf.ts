import * as z from "zod";

/**
 * The first example in a schema's metadata, which the OpenAPI document shows.
 * @throws ZodError if the schema has no example or its example is invalid.
 */
export function exampleOf<Schema extends z.ZodType>(schema: Schema): z.output<Schema> {
  return schema.parse(z.array(z.unknown()).nonempty().parse(schema.meta()?.examples)[0]);
}
