import type * as z from "zod";
import { redact } from "./logger.ts";
import { type InvalidValue, Problem } from "./problem.ts";

/**
 * The query's values. Each declared parameter may stand once; any other, or a second one, is an error and not ignored, so that
 * a misspelt parameter is noticed at the first call.
 *
 * @throws Problem `invalid_request` that names every parameter at fault.
 */
export function parseQuery<Query>(
  schema: z.ZodObject & z.ZodType<Query>,
  values: Record<string, string[] | undefined>,
): Query {
  const errors: InvalidValue[] = [];
  const single: Record<string, unknown> = {};
  for (const [parameter, all = []] of Object.entries(values)) {
    // A client may have put its key where a name belongs.
    if (!Object.hasOwn(schema.shape, parameter))
      errors.push({ parameter: redact(parameter), detail: "Unknown parameter." });
    else if (all.length !== 1) errors.push({ parameter, detail: "May be given only once." });
    else single[parameter] = all[0];
  }
  const { success, data, error } = schema.safeParse(single);
  for (const { path, message } of error?.issues ?? []) {
    errors.push({ parameter: path.join("."), detail: message });
  }
  if (!success || errors.length > 0) {
    throw new Problem("invalid_request", "The query has parameters that are not valid.", { errors });
  }
  return data;
}

/**
 * The path's values.
 * @throws Problem `not_found`, as for an unknown id: what is no id is the id of nothing.
 */
export function parseParams<Params>(schema: z.ZodType<Params>, values: Record<string, string | undefined>): Params {
  const { success, data, error } = schema.safeParse(values);
  if (!success) throw new Problem("not_found", error.issues[0]?.message ?? "No such resource.");
  return data;
}
