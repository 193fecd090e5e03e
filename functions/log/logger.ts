import { Logger } from "@aws-lambda-powertools/logger";
import { redact } from "./redact.ts";

/**
 * Logs one JSON object per line. It truncates every text and redacts keys, hashes of keys and tokens, including those from errors and
 * libraries.
 */
export const logger = new Logger({
  serviceName: "ticketing-api",
  jsonReplacerFn: (_name, value) => (typeof value === "string" ? redact(value) : value),
});
