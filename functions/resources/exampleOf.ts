import * as z from "zod";

/**
 * The first example in a schema's metadata, which becomes the document's.
 * @throws Error where it has none, or it is not one.
 */
export function exampleOf<Schema extends z.ZodType>(schema: Schema): z.output<Schema> {
  return schema.parse(z.array(z.unknown()).nonempty().parse(schema.meta()?.examples)[0]);
}
