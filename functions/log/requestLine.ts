import * as z from "zod";
import type { InvalidValue, Problem } from "../problem.ts";
import { excerpt } from "./logger.ts";

/** The message of the log line that each request writes. */
export const requestMessage = "request";

/** The message of the log line about a request whose API key was refused. */
export const authorizationMessage = "authorization";

/** Why a request failed. Nothing in it is personal or secret: a path has only ids, and a parameter only its name. */
const FailureFields = z.object({
  method: z.string().nullable().default(null),
  path: z.string().nullable().default(null),
  detail: z.string().nullable().default(null),
  required_scope: z.string().nullable().default(null),
  parameters: z.array(z.string()).default([]),
});

/**
 * The log lines from which usage is counted: the only contract between the log and the consumer. No other line has a `key_id`.
 */
export const KeyLine = z.discriminatedUnion("message", [
  FailureFields.extend({
    message: z.literal(requestMessage),
    organisation_id: z.int(),
    key_id: z.string(),
    operation_id: z.string(),
    status: z.int(),
    /** The code of the problem, if it failed. */
    code: z.string().nullable().default(null),
    request_id: z.string(),
  }),
  FailureFields.pick({ method: true, path: true }).extend({
    message: z.literal(authorizationMessage),
    organisation_id: z.int(),
    key_id: z.string(),
    outcome: z.enum(["revoked", "suspended"]),
    function_request_id: z.string(),
  }),
]);
export type KeyLine = z.infer<typeof KeyLine>;

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
