import { Webhook } from "standardwebhooks";
import type { components } from "./schema.ts";

type Schemas = components["schemas"];

/** The message is not from the service, or more than five minutes old. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}

/** A change in a message, without data. A ticket category has its `event_id`. */
export type WebhookChange = Schemas["WebhookChange"];

/** A webhook's message. Ignore unknown types. */
export type WebhookMessage = Schemas["ChangesMessage"] | Schemas["RestartMessage"] | Schemas["TestMessage"];

type HeaderValue = string | readonly string[] | null | undefined;

interface ReceivedMessage {
  /** The webhook's signing secret: `whsec_…`. White space around it is ignored. */
  secret: string;
  /** The request's headers: an object, pairs such as those of a `Map`, or any library's `Headers`. Names may be in any case. */
  headers:
    | Iterable<readonly [string, HeaderValue]>
    | { get(name: string): HeaderValue }
    | Readonly<Record<string, HeaderValue>>;
  /** The request's whole body, exactly as it arrived. */
  body: string | ArrayBuffer | ArrayBufferView;
}

/**
 * Verifies a message by Standard Webhooks: that it was signed with this secret, less than five minutes ago.
 * @throws WebhookVerificationError if the signature is invalid or too old. Respond with 400 and ignore the body.
 * @throws TypeError if an argument has another type, such as a parsed body.
 * @throws Error if the secret is empty or malformed.
 */
export function verifyWebhook({ secret, headers, body }: ReceivedMessage): WebhookMessage {
  const webhook = webhookWith(secret);
  const signed = signatureIn(headers);
  const text = textOf(body);
  try {
    // A valid signature proves the type: the service wrote the message.
    return webhook.verify(text, signed) as WebhookMessage;
  } catch (cause) {
    throw new WebhookVerificationError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Base64 of at least 24 bytes, the minimum of Standard Webhooks. */
const secretPattern = /^whsec_([A-Za-z0-9+/]{4}){8,}([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function webhookWith(secret: unknown): Webhook {
  if (typeof secret !== "string") throw new TypeError("secret must be a string.");
  const given = secret.trim();
  if (secretPattern.test(given)) return new Webhook(given);
  const quoted = /["'`]/.test(given) ? " The given secret includes quotation marks: remove them." : "";
  throw new Error(`The secret must be a webhook's: whsec_ and at least 24 bytes in Base64.${quoted}`);
}

const signatureHeaders = ["webhook-id", "webhook-timestamp", "webhook-signature"];

/** The signature's headers that are present. */
function signatureIn(headers: unknown): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of pairsOf(headers)) {
    const lower = String(name).toLowerCase();
    if (!signatureHeaders.includes(lower) || value === undefined || value === null) continue;
    if (![value].flat().every((one) => typeof one === "string")) throw wrongType("headers");
    found[lower] = String(value);
  }
  return found;
}

function pairsOf(headers: unknown): readonly (readonly unknown[])[] {
  if (typeof headers !== "object" || headers === null) throw wrongType("headers");
  if (Symbol.iterator in headers) {
    const all = [...(headers as Iterable<unknown>)];
    if (all.every((one) => Array.isArray(one))) return all;
  }
  if ("get" in headers && typeof headers.get === "function") {
    const { get } = headers;
    // Some classes of headers are case-sensitive.
    return signatureHeaders.flatMap((name) => spellingsOf(name).map((one) => [one, get.call(headers, one)]));
  }
  const prototype = Object.getPrototypeOf(headers);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  if (!isPlain || Array.isArray(headers)) throw wrongType("headers");
  return Object.entries(headers);
}

function spellingsOf(name: string): string[] {
  return [name, name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()), name.toUpperCase()];
}

function textOf(body: unknown): string {
  if (typeof body === "string") return body;
  // TextDecoder also takes undefined.
  if (typeof body !== "object" || body === null) throw wrongType("body");
  try {
    return new TextDecoder().decode(body as ArrayBuffer);
  } catch {
    throw wrongType("body");
  }
}

function wrongType(argument: "headers" | "body"): TypeError {
  return new TypeError(
    `${argument} has a wrong type. Pass the request's headers, and its raw body as text or bytes, not parsed.`,
  );
}
