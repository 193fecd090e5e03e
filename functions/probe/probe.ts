import { once } from "node:events";
import { connect } from "node:tls";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { logger } from "../log/logger.ts";
import { measurements } from "../log/measurements.ts";
import { checks, runCheck, withNameOnly } from "./checks.ts";

/**
 * ACM renews a certificate 60 days before it expires
 * (https://docs.aws.amazon.com/acm/latest/userguide/managed-renewal.html), so with fewer days left its renewal has failed.
 */
const certificateDays = 30;

/** @throws the first failed check's error, without the key. */
export async function probe(baseUrl: string, readKey: () => Promise<string>, timeoutMs = 10_000): Promise<void> {
  const key = (await readKey().catch(withNameOnly("Reading the secret with the probe's API key failed"))).trim();
  // fetch reports an invalid header with its value.
  if (!/^tsk_\w+$/.test(key)) throw new Error("The secret does not contain an API key.");
  for (const check of checks)
    await runCheck(check, { baseUrl, key, timeoutMs }).catch((error: Error) => {
      throw new Error(`${check.name}: ${error.message}`);
    });
}

/**
 * Returns true if the certificate of an address should have been renewed. ACM's own metric is in us-east-1, where CloudFront requires the
 * certificate, and alarms cannot watch metrics of another Region
 * (https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Cross-Account-Cross-Region.html).
 * @param ca the certificate authority, by default the usual ones.
 * @throws Error if the certificate has expired, or is for another name.
 */
export async function isCertificateExpiring(baseUrl: string, ca?: Buffer): Promise<boolean> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port || 443), servername: hostname, ...(ca && { ca }) });
  try {
    await once(socket, "secureConnect", { signal: AbortSignal.timeout(10_000) });
    return Date.parse(socket.getPeerCertificate().valid_to) < Date.now() + certificateDays * 86_400_000;
  } finally {
    socket.destroy();
  }
}

async function readKey(): Promise<string> {
  const client = new SecretsManagerClient();
  const { SecretString = "" } = await client.send(new GetSecretValueCommand({ SecretId: process.env.KEY_SECRET }));
  return SecretString;
}

export async function handler(): Promise<void> {
  const startedMs = performance.now();
  const baseUrl = process.env.BASE_URL ?? "";
  const certificate_expiring = Number(await isCertificateExpiring(baseUrl));
  logger.info("probe", measurements({ operationId: "probe", startedMs, counts: { certificate_expiring } }));
  await probe(baseUrl, readKey);
}
