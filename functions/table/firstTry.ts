import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";
import type { Agent } from "node:http";
import type { Input, Output } from "#documentClient";
import { timeoutMs } from "./clock.ts";
import type { Attributes, Item } from "./item.ts";

/** The members of a read's input that contain attribute values, which are strings in all of this service's reads. */
const withValues = new Set(["Key", "ExclusiveStartKey", "ExpressionAttributeValues", "Parameters"]);

type FirstTried = "GetItem" | "Query" | "ExecuteStatement";

/**
 * Makes the first try of a read as one signed HTTP request over a kept connection, for a fraction of the SDK's processor time. The document client
 * does everything else: retries, errors, and other credentials and endpoints. Without this file, requests only take longer
 * (docs/decisions/0002-dynamodb-client.md).
 * @param signedMs the time for the signature.
 * @returns undefined if only the document client can make this call.
 * @throws Error for anything but a good response.
 */
export async function firstTry(
  action: FirstTried,
  input: Input<FirstTried>,
  signedMs: number,
): Promise<(Output<"GetItem"> & Output<"Query"> & Output<"ExecuteStatement">) | undefined> {
  const endpoint = endpointOf(process.env);
  if (!endpoint) return undefined;
  const body = JSON.stringify(input, (name, value) => (withValues.has(name) ? toTexts(value) : value));
  const headers = signedHeaders(process.env, endpoint.host, `DynamoDB_20120810.${action}`, body, new Date(signedMs));
  const { date, text } = await exchange(endpoint, headers, body);
  const { Item, Items, LastEvaluatedKey: last, ...rest } = JSON.parse(text);
  const items = { Item: Item && toPlain(Item), Items: Items?.map(toPlain), LastEvaluatedKey: last && toPlain(last) };
  return { ...rest, ...items, $metadata: { date } };
}

/** Variables that change the endpoint in ways that only the SDK knows. */
const specialSettings = ["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "AWS_USE_FIPS_ENDPOINT", "AWS_USE_DUALSTACK_ENDPOINT"];
/** Other partitions' endpoints have other names. */
const commercialRegion = /^(us|eu|ap|sa|ca|me|af|il|mx)-\w+-\d+$/;

/** The endpoint, if environment variables alone determine it. The SDK also reads files, which Lambda does not have. */
function endpointOf(environment: NodeJS.ProcessEnv): URL | undefined {
  const { AWS_REGION: region = "", AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret } = environment;
  const isUsual = environment.AWS_LAMBDA_FUNCTION_NAME !== undefined && commercialRegion.test(region);
  const usual = isUsual ? `https://dynamodb.${region}.amazonaws.com` : "";
  const given = environment.AWS_ENDPOINT_URL_DYNAMODB || environment.AWS_ENDPOINT_URL || usual;
  if (!region || !id || !secret || !given || specialSettings.some((name) => environment[name])) return undefined;
  const url = new URL(given);
  return url.href === `${url.protocol}//${url.host}/` ? url : undefined;
}

/** Signature Version 4 (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html). */
function signedHeaders(environment: NodeJS.ProcessEnv, host: string, target: string, body: string, now: Date) {
  const { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN: token } = environment;
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, "");
  const scope = `${time.slice(0, "YYYYMMDD".length)}/${AWS_REGION}/dynamodb/aws4_request`;
  const signed = { host, "x-amz-date": time, ...(token && { "x-amz-security-token": token }), "x-amz-target": target };
  const names = Object.keys(signed).join(";");
  const lines = Object.entries(signed).map(([name, value]) => `${name}:${value}\n`);
  const request = `POST\n/\n\n${lines.join("")}\n${names}\n${hash("sha256", body)}`;
  const text = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash("sha256", request)}`;
  const signature = hmac(signingKey(`AWS4${AWS_SECRET_ACCESS_KEY}`, scope), text).toString("hex");
  return {
    ...signed,
    "content-type": "application/x-amz-json-1.0",
    authorization: `AWS4-HMAC-SHA256 Credential=${AWS_ACCESS_KEY_ID}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

let lastKey: { source: string; key: KeyObject } | undefined;

/** The key for a secret and a scope, derived once a day. As a `KeyObject`, because signing with bytes takes Node seven times as long. */
function signingKey(secret: string, scope: string): KeyObject {
  const source = `${secret}/${scope}`;
  if (lastKey?.source !== source)
    lastKey = { source, key: createSecretKey(scope.split("/").reduce(hmac, Buffer.from(secret))) };
  return lastKey.key;
}

const hmac = (key: Buffer | KeyObject, text: string) => createHmac("sha256", key).update(text).digest();

const agents: Record<string, Agent> = {};

/** Sends the request and reads the whole response. @throws Error unless it is 200 with a JSON object in time. */
function exchange({ protocol, hostname, port }: URL, headers: Record<string, string>, body: string) {
  // An import would also load the values of unused exports: for `node:http`, a WebSocket client.
  const { Agent, request } = process.getBuiltinModule(protocol === "http:" ? "node:http" : "node:https");
  agents[protocol] ??= new Agent({ keepAlive: true });
  const options = { host: hostname.replace(/^\[|\]$/g, ""), port, method: "POST", headers, agent: agents[protocol] };
  return new Promise<{ date: string | undefined; text: string }>((resolve, reject) => {
    const outgoing = request(options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.once("error", reject);
      incoming.once("end", () => {
        const text = Buffer.concat(chunks).toString();
        if (incoming.statusCode === 200 && text.startsWith("{")) resolve({ date: incoming.headers.date, text });
        else reject(new Error("DynamoDB returned an error."));
      });
    });
    const deadline = setTimeout(() => outgoing.destroy(new Error("DynamoDB did not respond in time.")), timeoutMs());
    outgoing.once("error", reject);
    outgoing.once("close", () => {
      clearTimeout(deadline);
      reject(new Error("The connection closed."));
    });
    outgoing.end(body);
  });
}

function toTexts(values?: Record<string, string> | string[]) {
  if (Array.isArray(values)) return values.map((S) => ({ S }));
  return values && Object.fromEntries(Object.entries(values).map(([name, S]) => [name, { S }]));
}

export function toPlain(attributes: Attributes): Item {
  const item: Item = {};
  for (const name in attributes) item[name] = plainValue(attributes[name]);
  return item;
}

/** @throws Error for a type that the service does not store. The document client knows all types. */
function plainValue(value: Attributes[string] | undefined): unknown {
  if (value?.S !== undefined) return value.S;
  if (value?.N !== undefined) return Number(value.N);
  if (value?.NULL !== undefined) return null;
  if (value?.BOOL !== undefined) return value.BOOL;
  if (value?.M !== undefined) return toPlain(value.M);
  if (value?.L !== undefined) return value.L.map(plainValue);
  throw new Error("The item has an attribute of another type.");
}
