import { Logger } from "@aws-lambda-powertools/logger";
import { redact } from "./redact.ts";

/**
 * The process's logger: one JSON object a line. Every text is cut and freed of keys, hashes of keys and tokens, wherever an error
 * or a library put them.
 */
export const logger = new Logger({
  serviceName: "ticketing-api",
  jsonReplacerFn: (_name, value) => (typeof value === "string" ? redact(value) : value),
});
