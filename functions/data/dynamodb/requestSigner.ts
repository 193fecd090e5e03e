import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";
import type { AwsCredentialIdentity, RequestSigner } from "@smithy/types";

const algorithm = "AWS4-HMAC-SHA256";
const service = "dynamodb";

/** Where the signer finds who signs, asked at every request, so that credentials may change. */
export interface SigningIdentity {
  credentials: () => Promise<AwsCredentialIdentity>;
  region: () => Promise<string>;
}

/**
 * Signs DynamoDB requests with AWS Signature Version 4
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html), deriving the signing key once a day and
 * not at every request. DynamoDB's requests have one path, no query and headers in lower case, which keeps it this small.
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

/** What AWS demands to be signed, and the body's type. The rest may change between here and the wire. */
function isSigned(header: string): boolean {
  return header === "host" || header === "content-type" || header.startsWith("x-amz-");
}

/** Derives the key of a secret and a scope, and keeps the last one, as an object: Node takes seven times as long to sign with bytes. */
function cachedSigningKey() {
  let kept: { of: string; key: KeyObject } | undefined;
  return (secretAccessKey: string, scope: string[]): KeyObject => {
    const of = `${secretAccessKey}/${scope.join("/")}`;
    if (kept?.of !== of) {
      kept = { of, key: createSecretKey(scope.reduce(hmac, Buffer.from(`AWS4${secretAccessKey}`))) };
    }
    return kept.key;
  };
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function sha256(content: string | Uint8Array): string {
  return hash("sha256", content, "hex");
}
