import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { SignatureV4 } from "@smithy/signature-v4";

/** A request to a service: an operation of a JSON protocol, or a path. */
export interface Call {
  service: string;
  operation?: string;
  input?: object;
  path?: string;
}

const inVersion10 = ["dynamodb", "sqs"];

/** Calls a service of the emulator for which this repository has no client. @returns the response as text. @throws Error if it is an error. */
export async function callAws({ service, operation, input = {}, path = "/" }: Call): Promise<string> {
  // Any client finds the credentials and the region.
  const client = new CloudFormationClient({});
  const region = await client.config.region();
  const url = new URL(path, process.env.AWS_ENDPOINT_URL);
  const { credentials, sha256 } = client.config;
  const version = inVersion10.includes(service) ? "1.0" : "1.1";
  const json = operation && { "Content-Type": `application/x-amz-json-${version}`, "X-Amz-Target": operation };
  const call = operation ? { method: "POST", body: JSON.stringify(input) } : { method: "GET" };
  const { headers } = await new SignatureV4({ service, region, credentials, sha256 }).sign({
    ...call,
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: { host: url.host, accept: "application/json, text/xml;q=0.9", ...json },
  });
  client.destroy();
  const response = await fetch(url, { ...call, headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${operation ?? service + path} returned ${response.status}: ${text}`);
  return text;
}
