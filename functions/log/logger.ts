import { LogFormatter, Logger, LogItem } from "@aws-lambda-powertools/logger";
import type { LogAttributes, UnformattedAttributes } from "@aws-lambda-powertools/logger/types";

/** Longer texts are truncated before the search. A stack trace fits. */
const maximumTextLength = 8_000;

/** Enough for a name in an error message. */
const maximumExcerptLength = 64;

/** Possible secrets: bearer credentials, signing secrets, and runs of 13 or more of the characters in keys, hashes and tokens. */
const candidates = /Bearer\s+\S+|whsec_[\w+/=]{9,}|[\w.-]{13,}/gi;

/** Matches every text that has a secret, and few others. Only matching texts are searched for candidates, which takes longer. */
const signs = /Bearer\s|eyJ|tsk_[0-9a-z]{9}|whsec_|[0-9a-f]{64}/i;

const redacted = "[redacted]";

/** Redacts API keys, hashes of keys, signing secrets, JWTs and bearer credentials, and truncates to 8,000 characters. Takes linear time. */
export function redact(text: string): string {
  const start = cut(text, maximumTextLength);
  return signs.test(start) ? start.replace(candidates, redactCandidate) : start;
}

/** A client's text for an error message: without secrets, at most 64 characters and an ellipsis, and only characters that every reader can store. */
export function excerpt(text: string): string {
  return cut(redact(text), maximumExcerptLength).toWellFormed().replaceAll("\0", "\ufffd");
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

/** Powertools' default line, without its deep copies. No function logs Lambda's context. */
class Formatter extends LogFormatter {
  formatAttributes(attributes: UnformattedAttributes, fields: LogAttributes): LogItem {
    const { logLevel: level, message, serviceName: service, sampleRateValue: sampling_rate, xRayTraceId } = attributes;
    const timestamp = this.formatTimestamp(attributes.timestamp);
    const own = { level, message, timestamp, service, sampling_rate, xray_trace_id: xRayTraceId };
    return new LogItem({ attributes: { ...own, ...fields } });
  }
}

/** Logs one JSON object per line. It truncates every text and redacts secrets, including those from errors and libraries. */
export const logger = new Logger({
  serviceName: "ticketing-api",
  logFormatter: new Formatter(),
  jsonReplacerFn: (_name, value) => (typeof value === "string" ? redact(value) : value),
});
