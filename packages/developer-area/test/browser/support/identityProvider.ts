import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { jwtVerify } from "jose";
import {
  clientId,
  discoveryPath,
  type IdentityProvider,
  startIdentityProvider,
} from "../../../../../test/support/http/identityProvider.ts";

interface StagedPerson {
  subject: string;
  email: string;
  organisationId: string;
  organisationName?: string;
}

/** The provider's behaviour. A test may change it at any time. */
interface ProviderScript {
  person: StagedPerson;
  /** The error to return instead of a code. */
  refusal: { error: string; error_description: string } | null;
  tokenLifetimeSeconds: number;
  givesRefreshTokens: boolean;
  endsSessions: boolean;
  /** True while the browser has a session: from a sign-in until it ends. */
  hasSession: boolean;
}

export type ScriptedProvider = Awaited<ReturnType<typeof startScriptedProvider>>;

/** An OpenID Connect provider without a sign-in page: it responds at once, by its script. It checks PKCE and signs tokens. */
export async function startScriptedProvider(script: ProviderScript) {
  const provider: IdentityProvider = await startIdentityProvider(answer);
  const { issuer, asked, publicKey } = provider;
  const { authorize, token, endSession } = tokens(provider, script);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", issuer);
    if (url.pathname === "/authorize") return redirect(response, authorize(url));
    if (url.pathname === "/end-session") {
      endSession();
      return redirect(response, url.searchParams.get("post_logout_redirect_uri") ?? "");
    }
    const body = url.pathname === "/token" ? await token(await text(request)) : discovery();
    response.writeHead("error" in body ? 400 : 200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  }

  const discovery = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    ...(script.endsSessions && { end_session_endpoint: `${issuer}/end-session` }),
  });
  provider.answers.delete(discoveryPath);

  const requests = () => asked.map((url) => new URL(url, issuer));
  return {
    clientId,
    issuer,
    script,
    stop: provider.stop,
    requests,
    /** The number of requests for a path so far. */
    count: (path: string) => requests().filter(({ pathname }) => pathname === path).length,
    /** The email address of a token's owner. @throws for a token that this provider did not issue. */
    async verify(token: string): Promise<string> {
      const { payload } = await jwtVerify(token, publicKey, { issuer, audience: clientId });
      return String(payload.email);
    },
  };
}

/** Codes for tokens, and refresh tokens for others. */
function tokens(provider: IdentityProvider, script: ProviderScript) {
  const challenges = new Map<string, string>();
  const refreshTokens = new Set<string>();

  function authorize({ searchParams }: URL): string {
    const back = new URL(searchParams.get("redirect_uri") ?? "");
    const code = randomUUID();
    challenges.set(code, searchParams.get("code_challenge") ?? "");
    const isSilent = searchParams.get("prompt") === "none";
    const answer = script.refusal ?? (isSilent && !script.hasSession ? { error: "login_required" } : { code });
    script.hasSession = !("error" in answer);
    for (const [name, value] of Object.entries(answer)) back.searchParams.set(name, value);
    back.searchParams.set("state", searchParams.get("state") ?? "");
    return back.href;
  }

  async function token(body: string) {
    const form = new URLSearchParams(body);
    const verifier = form.get("code_verifier") ?? "";
    const code = form.get("code") ?? "";
    const isProven = challenges.get(code) === createHash("sha256").update(verifier).digest("base64url");
    challenges.delete(code);
    if (!isProven && !refreshTokens.has(form.get("refresh_token") ?? "")) return { error: "invalid_grant" };
    const { tokenLifetimeSeconds, givesRefreshTokens, person } = script;
    const refreshToken = randomUUID();
    if (givesRefreshTokens) refreshTokens.add(refreshToken);
    const claims = provider.claims({
      sub: person.subject,
      email: person.email,
      exp: Math.floor(Date.now() / 1000) + tokenLifetimeSeconds,
      jti: randomUUID(),
      "custom:organisation_id": person.organisationId,
      "custom:organisation_name": person.organisationName,
    });
    return {
      token_type: "Bearer",
      access_token: randomUUID(),
      expires_in: tokenLifetimeSeconds,
      scope: "openid email profile",
      id_token: await provider.sign(claims),
      ...(givesRefreshTokens && { refresh_token: refreshToken }),
    };
  }

  const endSession = () => {
    script.hasSession = false;
  };
  return { authorize, token, endSession };
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { Location: location }).end();
}
