import { Logger } from "@aws-lambda-powertools/logger";

/** A key’s prefix, of 12 characters, is no secret; one character more is. */
const secrets = /tsk_[0-9A-Za-z]{9,}|(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])|eyJ[\w-]+\.[\w-]+\.[\w-]*|Bearer\s+\S+/gi;

/**
 * The process's logger: one JSON object a line. What looks like a key, the hash of one, or a token is taken out of every text,
 * whatever an error or a library put there.
 */
export const logger = new Logger({
  serviceName: "ticketing-api",
  jsonReplacerFn: (_name, value) => (typeof value === "string" ? redact(value) : value),
});

/** The text without secrets. */
export function redact(text: string): string {
  return text.replace(secrets, "[redacted]");
}
