import * as z from "zod";
import type { WebhookMessage } from "./message.ts";
import { post, type ReceiverResponse } from "./receiver.ts";
import { environmentMac, type Mac, secretOf, signedHeaders, signingSecret } from "./signature.ts";
import type { StoredWebhook } from "./storedWebhook.ts";

/** The package's version. A test compares them. */
export const productVersion = "1.3.0";

export interface Sender {
  mac: Mac;
  post: (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<ReceiverResponse>;
}

const Environment = z.object({ WEBHOOKS_ALLOW_LOOPBACK: z.literal("yes").optional() });

/** Allows receivers on this machine, for the local service and tests. */
export function allowsLoopback(): boolean {
  return Environment.parse(process.env).WEBHOOKS_ALLOW_LOOPBACK === "yes";
}

export const sender: Sender = {
  mac: environmentMac,
  post: (url, headers, body) => post(url, headers, body, { allowsLoopback: allowsLoopback() }),
};

interface OutgoingMessage {
  id: string;
  body: WebhookMessage;
  /** The service's public address, with the documentation of messages. */
  baseUrl: string;
}

/** Posts a message, signed with every secret that is valid now. @throws if the key of the secrets is unavailable. */
export async function sendMessage(
  stored: StoredWebhook,
  { id, body, baseUrl }: OutgoingMessage,
  { mac, post }: Sender,
): Promise<ReceiverResponse> {
  const { url, secret_version, earlier_secret_until } = stored;
  const isEarlierValid = earlier_secret_until !== null && earlier_secret_until > body.timestamp;
  const versions = isEarlierValid ? [secret_version, secret_version - 1] : [secret_version];
  const secrets = await Promise.all(versions.map((version) => signingSecret(mac, secretOf(stored, version))));
  // Firewalls refuse requests without these.
  const common = { accept: "*/*", "user-agent": `Ticketing-Webhooks/${productVersion} (+${baseUrl}/docs/webhooks.md)` };
  const text = JSON.stringify(body);
  return post(url, { ...common, ...signedHeaders(id, text, secrets, new Date(body.timestamp)) }, text);
}
