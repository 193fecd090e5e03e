import { createHmac, hash } from "node:crypto";
import { GenerateMacCommand, KMSClient } from "@aws-sdk/client-kms";
import { Webhook } from "standardwebhooks";
import * as z from "zod";
import type { StoredWebhook } from "./storedWebhook.ts";

/** Computes a MAC with a key that is never stored in the table. */
export type Mac = (text: string) => Promise<Uint8Array>;

/** The key in KMS, or the local service's own. */
const Environment = z.union([
  z.object({ WEBHOOK_KEY_ID: z.string().min(1) }),
  z.object({ WEBHOOK_LOCAL_KEY: z.string().min(1) }),
]);

let client: KMSClient | undefined;

/** The MAC of the environment's key: HMAC-SHA-256. */
export const environmentMac: Mac = async (text) => {
  const environment = Environment.parse(process.env);
  if ("WEBHOOK_LOCAL_KEY" in environment)
    return createHmac("sha256", environment.WEBHOOK_LOCAL_KEY).update(text).digest();
  client ??= new KMSClient({ requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000 } });
  const input = {
    KeyId: environment.WEBHOOK_KEY_ID,
    MacAlgorithm: "HMAC_SHA_256" as const,
    Message: Buffer.from(text),
  };
  const { Mac: mac } = await client.send(new GenerateMacCommand(input));
  if (!mac) throw new Error("KMS returned no MAC.");
  return mac;
};

/** Identifies a signing secret. A rotation increases the version. */
interface SecretOf {
  organisationId: number;
  webhookId: string;
  version: number;
  /** True if the key's bytes are those of a text, so that a tool's text field can hold it. */
  isText: boolean;
}

/** Identifies a version of a webhook's secret. */
export function secretOf(
  { organisation_id, id, text_secret_from }: Pick<StoredWebhook, "organisation_id" | "id" | "text_secret_from">,
  version: number,
): SecretOf {
  const isText = text_secret_from !== null && version >= text_secret_from;
  return { organisationId: organisation_id, webhookId: id, version, isText };
}

/** 32 characters of six bits each, which is as long as a key of bytes. */
const textKeyBytes = 24;

/** A webhook's signing secret, in the form that the libraries of Standard Webhooks take. It is derived, so nothing stores it. */
export async function signingSecret(mac: Mac, secret: SecretOf): Promise<string> {
  const { organisationId, webhookId, version, isText } = secret;
  const bytes = Buffer.from(await mac(`webhook secret\n${organisationId}\n${webhookId}\n${version}`));
  const key = isText ? Buffer.from(bytes.subarray(0, textKeyBytes).toString("base64url")) : bytes;
  return `whsec_${key.toString("base64")}`;
}

/** The id of a message, which identifies its content, so receivers recognise a repetition. */
export function messageIdOf(webhookId: string, content: string): string {
  return `msg_${hash("sha256", `${webhookId}\n${content}`, "base64url").slice(0, 27)}`;
}

/**
 * The headers of a message by Standard Webhooks 1.0 (https://www.standardwebhooks.com).
 * @param secrets all that are valid now, the newest first. A receiver needs one of them.
 */
export function signedHeaders(id: string, body: string, secrets: readonly string[], sent: Date) {
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(sent.getTime() / 1_000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, sent, body)).join(" "),
  };
}
