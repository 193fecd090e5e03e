import type * as z from "zod";
import { type InvalidValue, Problem } from "../problem.ts";

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
    if (!Object.hasOwn(schema.shape, parameter)) errors.push({ parameter, detail: "Unknown parameter." });
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
 * The values of the headers that a schema names; others are not looked at.
 * @throws Problem `invalid_request` that names every header at fault.
 */
export function parseHeaders<Headers>(schema: z.ZodType<Headers>, values: Record<string, string | undefined>): Headers {
  const { success, data, error } = schema.safeParse(values);
  if (success) return data;
  const errors = error.issues.map(({ path, message }) => ({ parameter: path.join("."), detail: message }));
  throw new Problem("invalid_request", "The request has headers that are not valid.", { errors });
}

/** A body as it was sent. */
export interface SentBody {
  contentType: string | undefined;
  text: string | null;
}

/**
 * The body's members.
 *
 * @throws Problem `unsupported_media_type` where it is not said to be JSON.
 * @throws Problem `invalid_request` where it is not, or that names by JSON pointer every member that is missing, unknown or not valid.
 */
export function parseBody<Body>(schema: z.ZodType<Body>, { contentType = "", text }: SentBody): Body {
  if (!/^application\/json\s*(;|$)/i.test(contentType)) {
    throw new Problem("unsupported_media_type", "The body must be application/json.");
  }
  const { success, data, error } = schema.safeParse(fromJson(text ?? ""));
  if (success) return data;
  const errors = error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({ pointer: pointerTo([...issue.path, key]), detail: "Unknown member." }))
      : { pointer: pointerTo(issue.path), detail: issue.message },
  );
  throw new Problem("invalid_request", "The body is not valid.", { errors });
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Without the parser's words, which quote the body.
    throw new Problem("invalid_request", "The body is not JSON.", { errors: [{ pointer: "", detail: "Not JSON." }] });
  }
}

/** A JSON pointer (RFC 6901). */
function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
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
