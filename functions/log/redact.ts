/** Longer texts are cut before the search. A stack trace fits. */
const maximumTextLength = 8_000;

/** A name in an error message does not need more. */
const maximumExcerptLength = 64;

/** What may hold a secret: a bearer credential, or a run of at least 13 characters of which keys, hashes and tokens consist. */
const candidates = /Bearer\s+\S+|[\w.-]{13,}/gi;

const redacted = "[redacted]";

/** The text without API keys, hashes of keys, JWTs and bearer credentials, cut to 8,000 characters. Takes linear time. */
export function redact(text: string): string {
  return cut(text, maximumTextLength).replace(candidates, redactCandidate);
}

/** The beginning of a text that a client sent, for an error message: without secrets, at most 64 characters and an ellipsis. */
export function excerpt(text: string): string {
  return cut(redact(text), maximumExcerptLength);
}

function redactCandidate(candidate: string): string {
  if (/^Bearer\s/i.test(candidate) || holdsToken(candidate)) return redacted;
  return candidate
    .replace(/[0-9a-f]+/gi, (run) => (run.length === 64 ? redacted : run))
    .replace(/tsk_[0-9A-Za-z]{9,}/gi, redacted);
}

/** A JWT's header is a JSON object in base64url, which begins with `eyJ`; a dot and the claims follow it. */
function holdsToken(candidate: string): boolean {
  return candidate.split(".").some((part, index, parts) => index < parts.length - 1 && /eyJ[\w-]{10}/.test(part));
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
