import { Logger } from "@aws-lambda-powertools/logger";

/** Longer texts are truncated before the search. A stack trace fits. */
const maximumTextLength = 8_000;

/** Enough for a name in an error message. */
const maximumExcerptLength = 64;

/** Possible secrets: bearer credentials, signing secrets, and runs of 13 or more of the characters in keys, hashes and tokens. */
const candidates = /Bearer\s+\S+|whsec_[\w+/=]{9,}|[\w.-]{13,}/gi;

const redacted = "[redacted]";

/** Redacts API keys, hashes of keys, signing secrets, JWTs and bearer credentials, and truncates to 8,000 characters. Takes linear time. */
export function redact(text: string): string {
  return cut(text, maximumTextLength).replace(candidates, redactCandidate);
}

/** A client's text for an error message: without secrets, at most 64 characters and an ellipsis. */
export function excerpt(text: string): string {
  return cut(redact(text), maximumExcerptLength);
}

function redactCandidate(candidate: string): string {
  if (/^Bearer\s/i.test(candidate) || containsToken(candidate)) return redacted;
  return candidate
    .replace(/[0-9a-f]+/gi, (run) => (run.length === 64 ? redacted : run))
    .replace(/tsk_[0-9A-Za-z]{9,}/gi, redacted)
    .replace(/whsec_.{9,}/i, redacted);
}

/** A JWT's header is a JSON object in base64url, which begins with `eyJ`; a dot and the claims follow it. */
function containsToken(candidate: string): boolean {
  return candidate.split(".").some((part, index, parts) => index < parts.length - 1 && /eyJ[\w-]{10}/.test(part));
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/**
 * Logs one JSON object per line. It truncates every text and redacts keys, hashes of keys and tokens, including those from errors and
 * libraries.
 */
export const logger = new Logger({
  serviceName: "ticketing-api",
  jsonReplacerFn: (_name, value) => (typeof value === "string" ? redact(value) : value),
});
