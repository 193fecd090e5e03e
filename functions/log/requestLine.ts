import * as z from "zod";

/** The message of the log line that each request writes, and by which the log's consumer and the subscription's filter select it. */
export const requestMessage = "request";

/** The line of a request with an API key: the only contract between the log and what counts the usage of keys. */
export const KeyRequestLine = z.object({
  message: z.literal(requestMessage),
  organisation_id: z.int(),
  key_id: z.string(),
  operation_id: z.string(),
  status: z.int(),
  /** The code of the problem, if it failed. */
  code: z.string().nullable().default(null),
  request_id: z.string(),
});
export type KeyRequestLine = z.infer<typeof KeyRequestLine>;
