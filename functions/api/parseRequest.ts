import * as z from "zod";
import { faultsIn, parseJson, textProblem } from "../parseJson.ts";
import { type InvalidValue, maximumErrors, Problem } from "../problem.ts";

/** The message of a problem whose `errors` name the parameters. */
export const invalidQuery = "The query has invalid parameters.";

/** Refuses unknown and repeated parameters, so that the first call reveals a misspelt name. @throws Problem `invalid_request` that names each. */
export function parseQuery<Query>(
  schema: z.ZodObject & z.ZodType<Query>,
  values: Record<string, string[] | undefined>,
): Query {
  const errors: InvalidValue[] = [];
  const single: Record<string, unknown> = {};
  for (const [parameter, all = []] of Object.entries(values)) {
    if (!Object.hasOwn(schema.shape, parameter)) errors.push({ parameter, detail: unknownParameter(schema.shape) });
    else {
      const isList = isCommaSeparated(schema.shape[parameter]);
      if (all.length > 1 && !isList) errors.push({ parameter, detail: "May be given only once." });
      single[parameter] = isList ? all.join() : all[0];
      const detail = undecodable(all.join());
      if (detail !== undefined) errors.push({ parameter, detail });
    }
  }
  const { success, data, error } = schema.safeParse(single);
  const reported = new Set(errors.map((one) => "parameter" in one && one.parameter));
  for (const issue of error?.issues ?? []) {
    const parameter = issue.path.join(".");
    if (!reported.has(parameter)) errors.push({ parameter, detail: detailOf(issue, single) });
  }
  if (!success || errors.length > 0) {
    throw new Problem("invalid_request", invalidQuery, { errors });
  }
  return data;
}

/** The gateway replaces bytes that are not UTF-8 with this character. */
const replacement = "\ufffd";

function undecodable(text: string): string | undefined {
  if (text.includes(replacement)) return "Must be percent-encoded UTF-8, without U+FFFD.";
  return textProblem(text);
}

function unknownParameter(declared: object): string {
  const names = Object.keys(declared);
  return `Unknown parameter. ${names.length === 0 ? "This operation has none" : `Known: ${names.join(", ")}`}.`;
}

/** Some generated clients repeat such a parameter's name instead. */
function isCommaSeparated(field: z.core.$ZodType | undefined): boolean {
  if (field instanceof z.ZodDefault) return isCommaSeparated(field.unwrap());
  return field instanceof z.ZodCodec && field.out instanceof z.ZodArray;
}

/** Ignores headers that are not in the schema. @throws Problem `invalid_request` that names every invalid header. */
export function parseHeaders<Headers>(schema: z.ZodType<Headers>, values: Record<string, string | undefined>): Headers {
  const { success, data, error } = schema.safeParse(values);
  if (success) return data;
  const errors = error.issues.map(({ path, message }) => ({ parameter: path.join("."), detail: message }));
  throw new Problem("invalid_request", "The request has invalid headers.", { errors });
}

export interface SentBody {
  contentType: string | undefined;
  contentEncoding?: string | undefined;
  text: string | null | undefined;
}

/** Several times the longest valid body. Parsing megabytes of small members takes a second. */
const maximumBodyBytes = 128 * 1024;

/** False for a body that is too large to parse. */
export function isReadable(body: string | null): body is string {
  return body !== null && Buffer.byteLength(body) <= maximumBodyBytes;
}

export const tooLarge = `The body exceeds ${maximumBodyBytes / 1024} KB.`;

/**
 * @throws Problem `unsupported_media_type` if the Content-Type, its charset or the Content-Encoding is not supported.
 * @throws Problem `payload_too_large`
 * @throws Problem `invalid_request` if the body is not JSON; otherwise it names the missing, unknown and invalid members by JSON pointer.
 */
export function parseBody<Body>(
  schema: z.ZodType<Body>,
  { contentType = "", contentEncoding, ...sent }: SentBody,
): Body {
  assertMediaType(contentType, contentEncoding);
  const text = sent.text ?? "";
  if (Buffer.byteLength(text) > maximumBodyBytes) throw new Problem("payload_too_large", tooLarge);
  const value = fromJson(text);
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  throw new Problem("invalid_request", "The body is invalid.", listOf(error.issues, value));
}

function assertMediaType(contentType: string, contentEncoding = "identity"): void {
  if (!/^application\/json\s*(;|$)/i.test(contentType)) {
    throw unsupported("content-type", "The Content-Type must be application/json.");
  }
  const charset = /;\s*charset=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType)?.slice(1).join("");
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw unsupported("content-type", "The charset must be UTF-8.");
  if (!/^\s*(identity\s*)?$/i.test(contentEncoding)) {
    throw unsupported("content-encoding", "The body must not have a Content-Encoding.");
  }
}

function unsupported(parameter: string, detail: string): Problem {
  return new Problem("unsupported_media_type", detail, { errors: [{ parameter, detail }] });
}

/** The first issues as errors, and the number of the others. A body may have thousands of unknown members. */
function listOf(issues: z.core.$ZodIssue[], value: unknown) {
  const errors: InvalidValue[] = [];
  let more = 0;
  const add = (path: readonly PropertyKey[], detail: string) => {
    if (errors.length < maximumErrors) errors.push({ pointer: pointerTo(path), detail });
    else more += 1;
  };
  for (const issue of issues) {
    if (issue.code !== "unrecognized_keys") add(issue.path, detailOf(issue, value));
    else for (const key of issue.keys) add([...issue.path, key], "Unknown member.");
  }
  return { errors, ...(more > 0 && { more_errors: more }) };
}

function detailOf({ path, message }: z.core.$ZodIssue, value: unknown): string {
  if (!isObject(value)) return "Must be a JSON object.";
  const [name] = path;
  return path.length === 1 && name !== undefined && !Object.hasOwn(value, name) ? "Is required." : message;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fromJson(text: string): unknown {
  if (text.includes(replacement))
    throw invalidBody("The body is not valid UTF-8. Write the character U+FFFD as \\ufffd.");
  const json = parseJson(text);
  if ("problem" in json) throw invalidBody(text === "" ? "The body is missing." : "The body is not valid JSON.");
  const errors = faultsIn(text, json.value).map(({ path, message }) => ({ pointer: pointerTo(path), detail: message }));
  if (errors.length > 0) throw new Problem("invalid_request", "The body is invalid.", { errors });
  return json.value;
}

function invalidBody(detail: string): Problem {
  return new Problem("invalid_request", detail, { errors: [{ pointer: "", detail }] });
}

/** A JSON pointer (RFC 6901). */
function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** @throws Problem `not_found`, as for an unknown id: a malformed id cannot match anything. */
export function parseParams<Params>(schema: z.ZodType<Params>, values: Record<string, string | undefined>): Params {
  const { success, data, error } = schema.safeParse(values);
  if (!success) throw new Problem("not_found", error.issues[0]?.message ?? "No such resource.");
  return data;
}
