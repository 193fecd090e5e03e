import { once } from "node:events";
import { connect } from "node:tls";

/*
 * The program of the CloudWatch Synthetics canary. It is deployed as this one file, so it imports nothing that its runtime lacks.
 */

interface Target {
  baseUrl: string;
  /** An API key of the stage. Undefined leaves out the checks that need one. */
  key: string | undefined;
  timeoutMs: number;
  signal?: AbortSignal;
}

/** One request to a stage, and what it must answer. */
interface Check {
  name: string;
  path: string;
  /** The stage's own key, or one that no stage has; none by default. */
  key?: "own" | "unknown";
  status: number;
  isRight: (body: string, key: string) => boolean;
}

/** It has the form and the checksum of a key. */
export const unknownKey = "tsk_00000000000000000000000000000000000000000002gLip8";

/** A request through each part of a stage: authorizer, table, refusal, website. The smoke test makes the same requests. */
export const checks: readonly Check[] = [
  { name: "GET /v1/key", path: "/v1/key", key: "own", status: 200, isRight: describesKey },
  { name: "GET /v1/events", path: "/v1/events?per_page=1", key: "own", status: 200, isRight: isPage },
  {
    name: "GET /v1/key with an unknown key",
    path: "/v1/key",
    key: "unknown",
    status: 401,
    isRight: (body) => parsed(body).code === "unauthorized",
  },
  { name: "GET /developer", path: "/developer", status: 200, isRight: (body) => /<html/i.test(body) },
];

/** The checks that can be made with, or without, a key of the stage. */
export function checksFor({ key }: Pick<Target, "key">): Check[] {
  return checks.filter((check) => check.key !== "own" || key !== undefined);
}

/** Makes a check's request, once. @throws Error without the key or the body, because Synthetics logs and stores it. */
export async function make(check: Check, { baseUrl, key = "", timeoutMs, signal }: Target): Promise<void> {
  const sent = { own: key, unknown: unknownKey, none: undefined }[check.key ?? "none"];
  const timeout = AbortSignal.timeout(timeoutMs);
  const response = await fetch(`${baseUrl}${check.path}`, {
    headers: sent === undefined ? {} : { Authorization: `Bearer ${sent}` },
    redirect: "error",
    signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
  }).catch(withNameOnly("The request failed"));
  const id = `X-Request-Id: ${response.headers.get("x-request-id") ?? "none"}`;
  if (response.status !== check.status) throw new Error(`The status is ${response.status}, not ${check.status}. ${id}`);
  const body = await response.text().catch(withNameOnly(`Reading the body failed. ${id}`));
  if (!check.isRight(body, key)) throw new Error(`The body is not as documented. ${id}`);
}

interface Probe {
  baseUrl: string;
  /** @returns undefined if nobody has stored a key yet. */
  readKey: () => Promise<string | undefined>;
  timeoutMs?: number;
}

/** Makes all checks that the stage's key allows. @returns whether it has one. @throws Error of the first that fails. */
export async function probe({ baseUrl, readKey, timeoutMs = 10_000 }: Probe): Promise<{ hasKey: boolean }> {
  const key = (await readKey().catch(withNameOnly("Reading the secret failed")))?.trim();
  // fetch reports an invalid header with its value.
  if (key !== undefined && !/^tsk_\w+$/.test(key)) throw new Error("The secret does not contain an API key.");
  for (const check of checksFor({ key }))
    await make(check, { baseUrl, key, timeoutMs }).catch((error: Error) => {
      throw new Error(`${check.name}: ${error.message}`);
    });
  return { hasKey: key !== undefined };
}

/** The messages of network and AWS errors may contain headers. A cause's code, such as ECONNREFUSED, does not. */
function withNameOnly(what: string) {
  return (error: unknown): never => {
    const { name = "unknown error", cause }: { name?: string; cause?: { code?: unknown } } = Object(error);
    throw new Error(`${what}: ${typeof cause?.code === "string" ? cause.code : name}.`);
  };
}

/** The object in a body, or an empty object. */
function parsed(body: string): Record<string, unknown> {
  try {
    return { ...JSON.parse(body) };
  } catch {
    return {};
  }
}

function describesKey(body: string, key: string): boolean {
  const { name, prefix, scopes, organisation_id } = parsed(body);
  return (
    typeof name === "string" &&
    prefix === key.slice(0, 12) &&
    Array.isArray(scopes) &&
    scopes.includes("read") &&
    Number.isInteger(organisation_id)
  );
}

function isPage(body: string): boolean {
  const { data, pagination } = parsed(body);
  return Array.isArray(data) && data.length <= 1 && typeof pagination === "object" && pagination !== null;
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

async function readKey(): Promise<string | undefined> {
  const { SecretsManager }: Sdk = require("@aws-sdk/client-secrets-manager");
  try {
    const { SecretString = "" } = await new SecretsManager().getSecretValue({ SecretId: process.env.KEY_SECRET ?? "" });
    return SecretString;
  } catch (error) {
    // The secret has no value.
    if (error instanceof Error && error.name === "ResourceNotFoundException") return undefined;
    throw error;
  }
}

/** Reports the metrics that the alarms about the certificate and the key watch. */
async function report(baseUrl: string, hasKey: boolean): Promise<void> {
  const { CloudWatch }: Sdk = require("@aws-sdk/client-cloudwatch");
  const Dimensions = [{ Name: "CanaryName", Value: process.env.CANARY_NAME }];
  const values = { CertificateDays: await certificateDays(baseUrl), KeyMissing: hasKey ? 0 : 1 };
  const MetricData = Object.entries(values).map(([MetricName, Value]) => ({ MetricName, Dimensions, Value }));
  await new CloudWatch().putMetricData({ Namespace: "CloudWatchSynthetics", MetricData });
}

export async function handler(): Promise<void> {
  const baseUrl = process.env.BASE_URL ?? "";
  const { hasKey } = await probe({ baseUrl, readKey });
  await report(baseUrl, hasKey).catch(withNameOnly("Reporting the certificate failed"));
}
