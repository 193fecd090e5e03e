import { once } from "node:events";
import { connect } from "node:tls";

/*
 * The program of the CloudWatch Synthetics canary. It is deployed as this one file, so it imports nothing that its runtime lacks.
 */

interface Probe {
  baseUrl: string;
  readKey: () => Promise<string>;
  timeoutMs?: number;
}

/** @throws Error without the key, because Synthetics logs and stores it. */
export async function probe({ baseUrl, readKey, timeoutMs = 10_000 }: Probe): Promise<void> {
  const key = (await readKey().catch(withNameOnly("Reading the secret failed"))).trim();
  // fetch reports an invalid header with its value.
  if (!/^tsk_\w+$/.test(key)) throw new Error("The secret does not contain an API key.");
  const response = await fetch(`${baseUrl}/v1/key`, {
    headers: { Authorization: `Bearer ${key}` },
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(withNameOnly("The request failed"));
  const id = `X-Request-Id: ${response.headers.get("x-request-id") ?? "none"}`;
  if (response.status !== 200) throw new Error(`The status is ${response.status}. ${id}`);
  const body: unknown = await response.json().catch(withNameOnly(`Reading the body failed. ${id}`));
  if (!describesKey(body, key)) throw new Error(`The body does not describe the key. ${id}`);
}

/** The messages of network and AWS errors may contain headers. */
function withNameOnly(what: string) {
  return (error: unknown): never => {
    throw new Error(`${what}: ${error instanceof Error ? error.name : "unknown error"}.`);
  };
}

function describesKey(body: unknown, key: string): boolean {
  if (typeof body !== "object" || body === null) return false;
  const { name, prefix, scopes, organisation_id }: Record<string, unknown> = { ...body };
  return (
    typeof name === "string" &&
    prefix === key.slice(0, 12) &&
    Array.isArray(scopes) &&
    scopes.includes("read") &&
    Number.isInteger(organisation_id)
  );
}

/**
 * The days until the certificate of an address expires.
 *
 * @param ca the certificate authority, by default the usual ones.
 * @throws Error if it has expired, or is for another name.
 */
export async function certificateDays(baseUrl: string, ca?: Buffer): Promise<number> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port || 443), servername: hostname, ...(ca && { ca }) });
  try {
    await once(socket, "secureConnect", { signal: AbortSignal.timeout(10_000) });
    return (Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / 86_400_000;
  } finally {
    socket.destroy();
  }
}

/** The parts of the SDK that the probe uses. Lambda's runtime contains the SDK. */
interface Sdk {
  SecretsManager: new () => { getSecretValue(input: { SecretId: string }): Promise<{ SecretString?: string }> };
  CloudWatch: new () => { putMetricData(input: object): Promise<unknown> };
}

async function readKey(): Promise<string> {
  const { SecretsManager }: Sdk = require("@aws-sdk/client-secrets-manager");
  const { SecretString = "" } = await new SecretsManager().getSecretValue({ SecretId: process.env.KEY_SECRET ?? "" });
  return SecretString;
}

async function reportCertificate(baseUrl: string): Promise<void> {
  const { CloudWatch }: Sdk = require("@aws-sdk/client-cloudwatch");
  const Dimensions = [{ Name: "CanaryName", Value: process.env.CANARY_NAME }];
  const days = { MetricName: "CertificateDays", Dimensions, Value: await certificateDays(baseUrl) };
  await new CloudWatch().putMetricData({ Namespace: "CloudWatchSynthetics", MetricData: [days] });
}

export async function handler(): Promise<void> {
  const baseUrl = process.env.BASE_URL ?? "";
  await probe({ baseUrl, readKey });
  await reportCertificate(baseUrl).catch(withNameOnly("Reporting the certificate failed"));
}
