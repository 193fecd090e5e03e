import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";
import type { AwsCredentialIdentity, RequestSigner } from "@smithy/types";

const algorithm = "AWS4-HMAC-SHA256";
const service = "dynamodb";

/** Called for every request, because credentials may change. */
export interface SigningIdentity {
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
