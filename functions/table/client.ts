import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";
import type { Agent } from "node:http";
import https from "node:https";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { AwsJson1_0Protocol } from "@aws-sdk/core/protocols";
import type {
  AwsCredentialIdentity,
  EndpointBearer,
  HandlerExecutionContext,
  HttpRequest,
  HttpResponse,
  MetadataBearer,
  OperationSchema,
  RequestSigner,
  SerdeFunctions,
} from "@smithy/types";
import * as z from "zod";

/**
 * DynamoDB responds in milliseconds; after a second, the response would come too late for the caller. Jobs without a waiting caller, and the
 * local service, may set a longer timeout.
 */
const Environment = z.object({ DYNAMODB_TIMEOUT_MS: z.coerce.number().positive().default(1_000) });
/** Three attempts of a second each, with their pauses, stay far below the gateway's 29 seconds. */
const maxAttempts = 3;

/** SDK middleware that this service does not use. The logger copies every output even if it logs nothing. */
const unusedMiddleware = ["loggerMiddleware", "getUserAgentMiddleware", "recursionDetectionMiddleware"];

let client: DynamoDBClient | undefined;

/** The process's only client, created on first use. It keeps its connections open. */
export function dynamoDb(): DynamoDBClient {
  client ??= makeClient();
  return client;
}

/** The SDK's client without its expensive defaults: docs/decisions/0002-dynamodb-client.md lists what each part saves. */
function makeClient(): DynamoDBClient {
  const made: DynamoDBClient = new DynamoDBClient({
    maxAttempts,
    cacheMiddleware: true,
    requestHandler: requestHandler(Environment.parse(process.env).DYNAMODB_TIMEOUT_MS),
    signer: requestSigner({ credentials: () => made.config.credentials(), region: () => made.config.region() }),
    protocol: PlainJsonProtocol,
  });
  for (const name of unusedMiddleware) made.middlewareStack.remove(name);
  return made;
}

/**
 * Sends the SDK's requests over connections that stay open, and collects each response in one buffer.
 *
 * @param timeoutMs for a whole request, up to the last byte of the response. The SDK's own handler stops its timer at the first byte.
 */
export function requestHandler(timeoutMs: number) {
  let agent: Agent | undefined;
  return {
    metadata: { handlerProtocol: "http/1.1" },
    async handle(request: HttpRequest) {
      agent ??= new (transportOf(request).Agent)({ keepAlive: true });
      return { response: await exchange(request, agent, timeoutMs) };
    },
    destroy: () => agent?.destroy(),
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
  };
}

/** Only a local DynamoDB uses plain HTTP. Importing `node:http` would also load Node's WebSocket client and slow down every cold start. */
function transportOf({ protocol }: HttpRequest) {
  return protocol === "http:" ? process.getBuiltinModule("node:http") : https;
}

function exchange(request: HttpRequest, agent: Agent, timeoutMs: number): Promise<HttpResponse> {
  const { port, path, method, headers, body } = request;
  const hostname = request.hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    const outgoing = transportOf(request).request({ hostname, port, path, method, headers, agent });
    const deadline = setTimeout(() => {
      reject(new TimeoutError(`DynamoDB did not respond within ${timeoutMs} ms.`));
      outgoing.destroy();
    }, timeoutMs);
    outgoing.once("close", () => clearTimeout(deadline));
    outgoing.once("error", reject);
    outgoing.once("response", (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.once("error", reject);
      incoming.once("end", () => {
        const statusCode = incoming.statusCode ?? 0;
        resolve({ statusCode, headers: singleHeaders(incoming.headers), body: Buffer.concat(chunks) });
      });
    });
    outgoing.end(body);
  });
}

function singleHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** The SDK recognises a retryable error by this name. */
class TimeoutError extends Error {
  override readonly name = "TimeoutError";
}

const algorithm = "AWS4-HMAC-SHA256";
const service = "dynamodb";

/** Called for every request, because credentials may change. */
interface SigningIdentity {
  credentials: () => Promise<AwsCredentialIdentity>;
  region: () => Promise<string>;
}

/**
 * Signs DynamoDB requests with AWS Signature Version 4
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html). It derives the signing key once a day instead
 * of once a request. It relies on DynamoDB's requests having one path, no query and lower-case headers.
 */
export function requestSigner({ credentials, region }: SigningIdentity): RequestSigner {
  const signingKey = cachedSigningKey();
  return {
    async sign(request, { signingDate = new Date() } = {}) {
      const { accessKeyId, secretAccessKey, sessionToken } = await credentials();
      const time = new Date(signingDate).toISOString().replace(/[-:]|\.\d{3}/g, "");
      const scope = [time.slice(0, "YYYYMMDD".length), await region(), service, "aws4_request"];
      const { headers, method, path, body } = request;
      headers["x-amz-date"] = time;
      if (sessionToken !== undefined) headers["x-amz-security-token"] = sessionToken;

      const names = Object.keys(headers).filter(isSigned).sort();
      const lines = names.map((name) => `${name}:${headers[name]}\n`).join("");
      const canonical = [method, path, "", lines, names.join(";"), sha256(body)].join("\n");
      const text = [algorithm, time, scope.join("/"), sha256(canonical)].join("\n");
      const signature = createHmac("sha256", signingKey(secretAccessKey, scope)).update(text).digest("hex");
      headers.authorization = `${algorithm} Credential=${accessKeyId}/${scope.join("/")}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
      return request;
    },
  };
}

/** AWS requires signing these headers except `content-type`. Other headers may still change before they are sent. */
function isSigned(header: string): boolean {
  return header === "host" || header === "content-type" || header.startsWith("x-amz-");
}

/** Derives the key for a secret and a scope, and caches the last one. As a `KeyObject`, because signing with bytes takes Node seven times as long. */
function cachedSigningKey() {
  let cached: { source: string; key: KeyObject } | undefined;
  return (secretAccessKey: string, scope: string[]): KeyObject => {
    const source = `${secretAccessKey}/${scope.join("/")}`;
    if (cached?.source !== source) {
      cached = { source, key: createSecretKey(scope.reduce(hmac, Buffer.from(`AWS4${secretAccessKey}`))) };
    }
    return cached.key;
  };
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function sha256(content: string | Uint8Array): string {
  return hash("sha256", content, "hex");
}

/** The reads of the API's requests. Their JSON equals the SDK's input and output, as long as no attribute is binary. */
const reads = new Set(["GetItem", "Query"]);

/**
 * DynamoDB's protocol without the SDK's walk through the schema of each request and response, for operations that need no conversion.
 * The SDK still converts errors, writes and everything else. A response without a JSON object is an error; the SDK would accept it as success.
 */
class PlainJsonProtocol extends AwsJson1_0Protocol {
  override async serializeRequest<Input extends object>(
    operation: OperationSchema,
    input: Input,
    context: HandlerExecutionContext & SerdeFunctions & EndpointBearer,
  ): Promise<HttpRequest> {
    if (!reads.has(operation.name)) return super.serializeRequest(operation, input, context);
    const request = new (this.getRequestType())({
      method: "POST",
      headers: {
        "content-type": this.getDefaultContentType(),
        "x-amz-target": `${this.serviceTarget}.${operation.name}`,
      },
      body: JSON.stringify(input),
    });
    return this.updateServiceEndpoint(request, await context.endpoint());
  }

  override async deserializeResponse<Output extends MetadataBearer>(
    operation: OperationSchema,
    context: HandlerExecutionContext & SerdeFunctions,
    response: HttpResponse,
  ): Promise<Output> {
    if (response.statusCode !== 200) return super.deserializeResponse(operation, context, response);
    const output = parseBody(String(response.body));
    if (!reads.has(operation.name)) return super.deserializeResponse(operation, context, response);
    return { ...output, $metadata: this.deserializeMetadata(response) };
  }

  /** Adds the response's `Date`, which the SDK omits. */
  override deserializeMetadata(response: HttpResponse) {
    return { ...super.deserializeMetadata(response), date: response.headers.date };
  }
}

/** @throws UnreadableResponse, so that the SDK retries, and damaged content never means "item not found" or "written". */
function parseBody(body: string) {
  try {
    const output = JSON.parse(body);
    if (typeof output === "object" && output !== null) return output;
  } catch {
    // The parser's error would quote the body, which is personal data.
  }
  throw new UnreadableResponse("DynamoDB's response was not a JSON object.");
}

/** The SDK and toTableError recognise a retryable error by this name and property. */
class UnreadableResponse extends Error {
  override readonly name = "ServiceUnavailable";
  readonly $retryable = {};
}
