import { Webhook } from "standardwebhooks";
import type { components } from "./schema.ts";

type Schemas = components["schemas"];

/** A message that the service did not send, or not within the last five minutes. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}

/** A change in a message: which resource, without its data. A ticket category has its `event_id`. */
export type WebhookChange = Schemas["WebhookChange"];

/** A message of a webhook. Ignore types that your version does not know. */
export type WebhookMessage = Schemas["ChangesMessage"] | Schemas["RestartMessage"] | Schemas["TestMessage"];

interface ReceivedMessage {
  /** The webhook's signing secret: `whsec_…`. */
  secret: string;
  /** The request's headers, of `node:http` or of a `Request`. */
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>;
  /** The request's whole body, exactly as it arrived. */
  body: string | Uint8Array;
}

/**
 * Verifies a message by Standard Webhooks: that it was signed with this secret, less than five minutes ago.
 *
 * @throws WebhookVerificationError if it was not. Respond with 400 and ignore the body.
 * @throws Error if the secret is empty or malformed.
 */
export function verifyWebhook({ secret, headers, body }: ReceivedMessage): WebhookMessage {
  if (!/^whsec_[A-Za-z0-9+/]+=*$/.test(secret)) throw new Error("The secret must be a webhook's: whsec_…");
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const texts = entries.map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  try {
    // The signature shows that the service wrote it.
    return new Webhook(secret).verify(text, Object.fromEntries(texts)) as WebhookMessage;
  } catch (cause) {
    throw new WebhookVerificationError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
