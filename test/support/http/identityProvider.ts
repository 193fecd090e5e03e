import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { exportJWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from "jose";

/** An identity provider whose private key the test has: it serves its discovery document and public keys, and records requests. */
export interface IdentityProvider {
  issuer: string;
  /** The claims of a valid token, with changes. */
  claims: (changes?: JWTPayload) => JWTPayload;
  /** A token, by default signed with the provider's first key. */
  sign: (claims: JWTPayload, header?: Partial<JWTHeaderParameters>, key?: KeyObject | Uint8Array) => Promise<string>;
  publicKey: KeyObject;
  /** The paths of all requests so far. */
  asked: string[];
  /** The responses, by path. */
  answers: Map<string, { status: number; body: string; location?: string }>;
  stop: () => void;
}

/** All providers of a process sign with the same key, because making one takes some 50 ms. */
const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

export const clientId = "developer-area";
export const discoveryPath = "/.well-known/openid-configuration";
const keysPath = "/keys";

/** @param respond handles requests for other paths than the provider's documents. */
export async function startIdentityProvider(
  respond: (incoming: IncomingMessage, outgoing: ServerResponse) => unknown = (_, outgoing) => {
    outgoing.writeHead(404).end();
  },
): Promise<IdentityProvider> {
  const asked: string[] = [];
  const answers: IdentityProvider["answers"] = new Map();
  const server = createServer((incoming, outgoing) => {
    const { url = "" } = incoming;
    asked.push(url);
    // Pages in browsers also request these documents.
    outgoing.setHeader("Access-Control-Allow-Origin", "*");
    const answer = answers.get(url);
    if (!answer) return respond(incoming, outgoing);
    const { status, body, location } = answer;
    outgoing.writeHead(status, location === undefined ? {} : { Location: location }).end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const jwk = { ...(await exportJWK(publicKey)), kid: "first", use: "sig", alg: "RS256" };
  const document = { issuer, jwks_uri: issuer + keysPath };
  answers.set(discoveryPath, { status: 200, body: JSON.stringify(document) });
  answers.set(keysPath, { status: 200, body: JSON.stringify({ keys: [jwk] }) });

  const nowSeconds = () => Math.floor(Date.now() / 1000);
  return {
    issuer,
    publicKey,
    asked,
    answers,
    claims: (changes = {}) => ({
      iss: issuer,
      aud: clientId,
      sub: "a-person",
      email: "ada@example.org",
      token_use: "id",
      iat: nowSeconds(),
      exp: nowSeconds() + 600,
      "cognito:groups": ["staff", "super-admin"],
      "custom:organisation_id": "1842",
      ...changes,
    }),
    sign: (claims, header = {}, key = privateKey) =>
      new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "first", ...header }).sign(key),
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
