import type { InvalidValue, Problem } from "../problem.ts";
import { excerpt } from "./logger.ts";

/** The message of the log line that each request writes. */
export const requestMessage = "request";

/** The message of the log line about a request whose API key was refused. */
export const authorizationMessage = "authorization";

/** The fields of a log line that explain why a request failed. */
export function failureFields(method: string, path: string, { message, members }: Problem) {
  const { errors = [], required_scope } = members;
  const fields = { method, path: harmlessPath(path), detail: message, required_scope };
  return { ...fields, ...(errors.length > 0 && { parameters: errors.map(harmlessName) }) };
}

/**
 * A declared path without what a client may have written into it: `{id}` replaces anything but a number in the place of an id. Words and ids
 * alternate in declared paths: `/v1/events/{id}/dates`.
 */
export function harmlessPath(path: string): string {
  const isHarmless = (part: string, index: number) => index < 3 || index % 2 === 0 || /^[0-9]{1,16}$/.test(part);
  return path
    .split("/")
    .map((part, index) => (isHarmless(part, index) ? part : "{id}"))
    .join("/");
}

/** An unknown parameter has the name that the client chose. */
function harmlessName(invalid: InvalidValue): string {
  const name = excerpt("parameter" in invalid ? invalid.parameter : invalid.pointer);
  return /^[\w./~[\]-]*$/.test(name) ? name : "(another name)";
}
