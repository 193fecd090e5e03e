import * as z from "zod";
import { type InvalidValue, Problem } from "../problem.ts";

/**
 * Parses the query. Unknown and repeated parameters are errors, so that the first call reveals a misspelt name.
 *
 * @throws Problem `invalid_request` that names every invalid parameter.
 */
export function parseQuery<Query>(
  schema: z.ZodObject & z.ZodType<Query>,
  values: Record<string, string[] | undefined>,
): Query {
  const errors: InvalidValue[] = [];
  const single: Record<string, unknown> = {};
  for (const [parameter, all = []] of Object.entries(values)) {
    if (!Object.hasOwn(schema.shape, parameter)) errors.push({ parameter, detail: "Unknown parameter." });
    else {
      const isList = isCommaSeparated(schema.shape[parameter]);
      if (all.length > 1 && !isList) errors.push({ parameter, detail: "May be given only once." });
      single[parameter] = isList ? all.join() : all[0];
    }
  }
  const { success, data, error } = schema.safeParse(single);
  for (const issue of error?.issues ?? []) {
    errors.push({ parameter: issue.path.join("."), detail: detailOf(issue, single) });
  }
  if (!success || errors.length > 0) {
    throw new Problem("invalid_request", "The query has invalid parameters.", { errors });
  }
  return data;
}

/** Whether the parameter takes values separated by commas. Some generated clients repeat its name instead. */
function isCommaSeparated(field: z.core.$ZodType | undefined): boolean {
  if (field instanceof z.ZodDefault) return isCommaSeparated(field.unwrap());
  return field instanceof z.ZodCodec && field.out instanceof z.ZodArray;
}

/**
 * Parses the headers in the schema and ignores all others.
 * @throws Problem `invalid_request` that names every invalid header.
 */
export function parseHeaders<Headers>(schema: z.ZodType<Headers>, values: Record<string, string | undefined>): Headers {
  const { success, data, error } = schema.safeParse(values);
  if (success) return data;
  const errors = error.issues.map(({ path, message }) => ({ parameter: path.join("."), detail: message }));
  throw new Problem("invalid_request", "The request has invalid headers.", { errors });
}

/** An unparsed body. */
export interface SentBody {
  contentType: string | undefined;
  text: string | null;
}

/**
 * Parses a JSON body.
 *
 * @throws Problem `unsupported_media_type` if the Content-Type is not JSON.
 * @throws Problem `invalid_request` if the body is not JSON; otherwise it names every missing, unknown or invalid member by JSON pointer.
 */
export function parseBody<Body>(schema: z.ZodType<Body>, { contentType = "", text }: SentBody): Body {
  if (!/^application\/json\s*(;|$)/i.test(contentType)) {
    throw new Problem("unsupported_media_type", "The Content-Type must be application/json.");
  }
  const value = fromJson(text ?? "");
  const { success, data, error } = schema.safeParse(value);
  if (success) {
    const errors = repeatedMembers(text ?? "").map((name) => ({
      pointer: pointerTo([name]),
      detail: "May be given only once.",
    }));
    if (errors.length > 0) throw new Problem("invalid_request", "The body is invalid.", { errors });
    return data;
  }
  const errors = error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({ pointer: pointerTo([...issue.path, key]), detail: "Unknown member." }))
      : { pointer: pointerTo(issue.path), detail: detailOf(issue, value) },
  );
  throw new Problem("invalid_request", "The body is invalid.", { errors });
}

function detailOf({ path, message }: z.core.$ZodIssue, value: unknown): string {
  if (!isObject(value)) return "Must be a JSON object.";
  const [name = "", ...inner] = path;
  return inner.length === 0 && !Object.hasOwn(value, name) ? "Is required." : message;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the body, so it is left out.
    const detail = text === "" ? "The body is missing." : "The body is not valid JSON.";
    throw new Problem("invalid_request", detail, { errors: [{ pointer: "", detail }] });
  }
}

const colon = /\s*:/y;

/**
 * The names of members that an object contains more than once. JSON.parse only keeps the last of them.
 * @param text a JSON object. No body has further objects within.
 */
function repeatedMembers(text: string): string[] {
  const names = new Set<string>();
  const repeated = new Set<string>();
  for (let start = text.indexOf('"'); start !== -1; ) {
    let end = start + 1;
    while (text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
    colon.lastIndex = end + 1;
    if (colon.test(text)) {
      const name: string = JSON.parse(text.slice(start, end + 1));
      (names.has(name) ? repeated : names).add(name);
    }
    start = text.indexOf('"', end + 1);
  }
  return [...repeated];
}

/** A JSON pointer (RFC 6901). */
function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/**
 * Parses the path parameters.
 * @throws Problem `not_found`, as for an unknown id: a malformed id cannot match anything.
 */
export function parseParams<Params>(schema: z.ZodType<Params>, values: Record<string, string | undefined>): Params {
  const { success, data, error } = schema.safeParse(values);
  if (!success) throw new Problem("not_found", error.issues[0]?.message ?? "No such resource.");
  return data;
}
