import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { type CryptoKey, exportJWK, generateKeyPair, jwtVerify, SignJWT } from "jose";
import { listen, serve, stop } from "./httpServer.ts";

interface StagedPerson {
  subject: string;
  email: string;
  organisationId: string;
  organisationName?: string;
}

/** What the provider does next; a test may change it at any time. */
interface ProviderScript {
  person: StagedPerson;
  /** The error to return instead of a code. */
  refusal: { error: string; error_description: string } | null;
  tokenLifetimeSeconds: number;
  givesRefreshTokens: boolean;
  endsSessions: boolean;
}

/** An OpenID Connect provider without a sign-in page: it responds at once, by its script. It checks PKCE and signs tokens. */
export class IdentityProvider {
  readonly clientId = "developer-area";
  readonly requests: URL[] = [];
  readonly script: ProviderScript;
  readonly issuer: string;
  readonly #keys: { privateKey: CryptoKey; publicKey: CryptoKey };
  readonly #server: Server;
  readonly #challenges = new Map<string, string>();
  readonly #refreshTokens = new Set<string>();

  static async start(script: ProviderScript): Promise<IdentityProvider> {
    const server = createServer();
    return new IdentityProvider(script, server, await listen(server), await generateKeyPair("RS256"));
  }

  private constructor(
    script: ProviderScript,
    server: Server,
    issuer: string,
    keys: { privateKey: CryptoKey; publicKey: CryptoKey },
  ) {
    this.script = script;
    this.issuer = issuer;
    this.#keys = keys;
    this.#server = server;
    serve(server, (request, response) => this.#answer(request, response));
  }

  /** The email address of a token's owner. @throws for a token that this provider did not issue. */
  async verify(token: string): Promise<string> {
    const { payload } = await jwtVerify(token, this.#keys.publicKey, { issuer: this.issuer, audience: this.clientId });
    return String(payload.email);
  }

  /** The number of requests for a path so far. */
  count(path: string): number {
    return this.requests.filter(({ pathname }) => pathname === path).length;
  }

  stop(): Promise<void> {
    return stop(this.#server);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.issuer);
    this.requests.push(url);
    response.setHeader("Access-Control-Allow-Origin", "*");
    if (url.pathname === "/authorize") return redirect(response, this.#authorize(url));
    if (url.pathname === "/end-session")
      return redirect(response, url.searchParams.get("post_logout_redirect_uri") ?? "");
    response.setHeader("Content-Type", "application/json");
    const body = url.pathname === "/token" ? await this.#token(await text(request)) : await this.#document(url);
    response.writeHead("error" in body ? 400 : 200).end(JSON.stringify(body));
  }

  async #document({ pathname }: URL) {
    if (pathname === "/jwks") return { keys: [await exportJWK(this.#keys.publicKey)] };
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      ...(this.script.endsSessions && { end_session_endpoint: `${issuer}/end-session` }),
    };
  }

  #authorize({ searchParams }: URL): string {
    const back = new URL(searchParams.get("redirect_uri") ?? "");
    const code = randomUUID();
    this.#challenges.set(code, searchParams.get("code_challenge") ?? "");
    const answer = this.script.refusal ?? { code };
    for (const [name, value] of Object.entries(answer)) back.searchParams.set(name, value);
    back.searchParams.set("state", searchParams.get("state") ?? "");
    return back.href;
  }

  async #token(body: string) {
    const form = new URLSearchParams(body);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const code = form.get("code") ?? "";
    const proven = this.#challenges.get(code) === challenge;
    this.#challenges.delete(code);
    if (!proven && !this.#refreshTokens.has(form.get("refresh_token") ?? "")) return { error: "invalid_grant" };
    const { tokenLifetimeSeconds, givesRefreshTokens } = this.script;
    const refreshToken = randomUUID();
    if (givesRefreshTokens) this.#refreshTokens.add(refreshToken);
    return {
      token_type: "Bearer",
      access_token: randomUUID(),
      expires_in: tokenLifetimeSeconds,
      scope: "openid email profile",
      id_token: await this.#idToken(),
      ...(givesRefreshTokens && { refresh_token: refreshToken }),
    };
  }

  #idToken(): Promise<string> {
    const { subject, email, organisationId, organisationName } = this.script.person;
    return new SignJWT({
      email,
      "custom:organisation_id": organisationId,
      "custom:organisation_name": organisationName,
    })
      .setProtectedHeader({ alg: "RS256" })
      .setIssuer(this.issuer)
      .setAudience(this.clientId)
      .setSubject(subject)
      .setIssuedAt()
      .setExpirationTime(`${this.script.tokenLifetimeSeconds} seconds`)
      .setJti(randomUUID())
      .sign(this.#keys.privateKey);
  }
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { Location: location }).end();
}
