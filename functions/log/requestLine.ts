import { type InvalidValue, maximumErrors, type Problem } from "../problem.ts";

/** The message of the log line that each request writes. */
export const requestMessage = "request";

/** The message of the log line about a request whose API key was refused. */
export const authorizationMessage = "authorization";

type Declared = Partial<Record<"params" | "query" | "headers" | "body", { shape: object }>>;

/** The fields of a log line that explain why a request failed. */
export function failureFields(declared: Declared, method: string, path: string, { message, members }: Problem) {
  const { required_scope } = members;
  // A query may have thousands of unknown parameters.
  const errors = (members.errors ?? []).slice(0, maximumErrors);
  const fields = { method, path: harmlessPath(path), detail: message, required_scope };
  const { params, query, headers, body } = declared;
  const known = new Set([params, query, headers, body].flatMap((schema) => Object.keys(schema?.shape ?? {})));
  if (errors.length === 0) return fields;
  // The service's own sentences, which quote nothing that a client sent.
  const reasons = errors.map(({ detail }) => detail);
  return { ...fields, parameters: errors.map((error) => harmlessName(error, known)), reasons };
}

/**
 * A declared path without what a client may have written into it: an id stays only if it is a number of up to nine digits, because longer ones may
 * be card or telephone numbers; anything else becomes `{id}`. Words and ids alternate in declared paths: `/v1/events/{id}/dates`.
 */
export function harmlessPath(path: string): string {
  const isHarmless = (part: string, index: number) =>
    index < 3 || index % 2 === 0 || /^(0|[1-9][0-9]{0,8})$/.test(part);
  return path
    .split("/")
    .map((part, index) => (isHarmless(part, index) ? part : "{id}"))
    .join("/");
}

/**
 * Keeps declared names, list indexes, and what looks like a name: a client may have sent its key or personal data as one. Keys are longer, and
 * have digits and capital letters.
 */
function harmlessName(invalid: InvalidValue, known: ReadonlySet<string>): string {
  const isName = (name: string) => known.has(name) || /^[a-z_]{1,30}$/.test(name);
  const isKnown = (name: string) => isName(name) || /^[0-9]{1,3}$/.test(name);
  if ("parameter" in invalid) return isName(invalid.parameter) ? invalid.parameter : unknownName;
  const [, ...names] = invalid.pointer.split("/");
  return names.every(isKnown) ? invalid.pointer : unknownName;
}

const unknownName = "(unknown name)";
