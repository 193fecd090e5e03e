import * as z from "zod";
import { authorizationMessage, requestMessage } from "./requestLine.ts";

/** Why a request failed. Nothing in it is personal or secret: a path has only ids, and a parameter only its name. */
const FailureFields = z.object({
  method: z.string().nullable().default(null),
  path: z.string().nullable().default(null),
  detail: z.string().nullable().default(null),
  required_scope: z.string().nullable().default(null),
  parameters: z.array(z.string()).default([]),
});

/**
 * The log lines from which usage is counted: the only contract between the log and the consumer. No other line has a `key_id`. Functions that only
 * write them start faster without this module.
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
