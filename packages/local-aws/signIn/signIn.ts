import { generateKeyPair, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import Provider, {
  type Adapter,
  type AdapterPayload,
  type Configuration,
  interactionPolicy,
  type KoaContextWithOIDC,
} from "oidc-provider";
import { log } from "../log.ts";
import type { Person, SignInOptions } from "./options.ts";
import { addSignInForm, formPath, headers, problemPage } from "./pages.ts";

const mount = "/sign-in";

export interface SignIn {
  issuer: string;
  clientId: string;
  /** Handles a sign-in request. Returns false for every other request. */
  handle: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
}

/** Starts the sign-in at `/sign-in`. */
export async function startSignIn(baseUrl: string, options: SignInOptions): Promise<SignIn> {
  const { path: page } = options.page;
  const { host } = new URL(baseUrl);
  const issuer = baseUrl + mount;
  const provider = await openIdProvider(issuer, options, baseUrl + page);
  const answer = provider.callback();
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { url = "/" } = incoming;
    const isSignIn = url.startsWith(`${mount}/`);
    if (!isSignIn && url.split(/[/?]/)[1] !== page.slice(1)) return false;
    if (incoming.headers.host !== host) {
      // The sign-in returns to one host only, so requests to any other name of this machine are redirected to it.
      outgoing.writeHead(307, { Location: baseUrl + url }).end();
      return true;
    }
    if (!isSignIn) return false;
    // The provider derives its mount path from originalUrl.
    void answer(Object.assign(incoming, { originalUrl: url, url: url.slice(mount.length) }), outgoing);
    return true;
  };
  return { issuer, clientId: options.clientId, handle };
}

const scope = "openid email profile";
const hourSeconds = 3600;
const daySeconds = 24 * hourSeconds;

/**
 * An OpenID provider for people and one public client. Its ID tokens have the claims of Amazon Cognito's. Keys, sessions and
 * tokens are in memory.
 * @param returnTo the client's URL after signing in and out.
 */
async function openIdProvider(issuer: string, options: SignInOptions, returnTo: string): Promise<Provider> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
  const path = new URL(issuer).pathname;
  const policy = interactionPolicy.base();
  policy.remove("consent");
  const provider = new Provider(issuer, {
    ...common,
    findAccount: (_context, sub) => accountOf(options.people.find((known) => known.sub === sub)),
    clients: [
      {
        client_id: options.clientId,
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "refresh_token"],
        redirect_uris: [returnTo],
        post_logout_redirect_uris: [returnTo],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256" }] },
    cookies: { keys: [randomBytes(32)], names: { session: "sign_in" }, long: { path } },
    interactions: { policy, url: (_context, { uid }) => path + formPath + uid },
    features: { ...unused, rpInitiatedLogout: signOut(returnTo) },
    renderError(context, { error, error_description }) {
      context.type = "html";
      context.body = problemPage(options, [error, error_description].filter(Boolean).join(": "), returnTo);
    },
  });
  const logFailure = (error: Error) => log.error("sign-in", { outcome: "failed", error });
  provider.onerror = logFailure;
  provider.on("server_error", (_context, error) => logFailure(error));
  provider.use((context, next) => {
    context.set(headers);
    return next();
  });
  addSignInForm(provider, options, returnTo);
  return provider;
}

const common: Configuration = {
  adapter: memoryAdapter,
  responseTypes: ["code"],
  clientAuthMethods: ["none"],
  scopes: scope.split(" "),
  claims: {
    openid: ["sub", "token_use", "cognito:groups", "custom:organisation_id", "custom:organisation_name"],
    email: ["email", "email_verified"],
  },
  loadExistingGrant: grantOf,
  issueRefreshToken: async () => true,
  ttl: {
    AccessToken: hourSeconds,
    IdToken: hourSeconds,
    Interaction: hourSeconds,
    RefreshToken: daySeconds,
    Session: daySeconds,
    Grant: daySeconds,
  },
};

function accountOf(person: Person | undefined) {
  if (!person) return undefined;
  const { sub, email, groups, organisation_id, organisation } = person;
  const claims = {
    sub,
    email,
    email_verified: true,
    token_use: "id",
    "cognito:groups": groups,
    // Cognito's custom attributes are strings.
    "custom:organisation_id": String(organisation_id),
    "custom:organisation_name": organisation,
  };
  return { accountId: sub, claims: async () => claims };
}

/** Without a userinfo endpoint, the provider puts the claims into the ID token. */
const unused: Configuration["features"] = {
  devInteractions: { enabled: false },
  userinfo: { enabled: false },
  dPoP: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  resourceIndicators: { enabled: false },
};

/** The session's grant. A new grant has every scope, so that nobody is asked for consent. */
async function grantOf({ oidc: { client, session, provider } }: KoaContextWithOIDC) {
  if (!client || !session?.accountId) return undefined;
  // All tokens of a session belong to one grant.
  const earlier = session.grantIdFor(client.clientId);
  const known = earlier === undefined ? undefined : await provider.Grant.find(earlier);
  if (known) return known;
  const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
  grant.addOIDCScope(scope);
  await grant.save();
  return grant;
}

/** Signs out without confirmation, as Cognito does. The session's refresh tokens end with it. */
function signOut(returnTo: string) {
  return {
    async logoutSource(context: KoaContextWithOIDC) {
      const { session, params } = context.oidc;
      await session?.destroy();
      const state = params?.state;
      const back = new URL(returnTo);
      if (typeof state === "string") back.searchParams.set("state", state);
      context.redirect(back.href);
    },
    postLogoutSuccessSource: (context: KoaContextWithOIDC) => context.redirect(returnTo),
  };
}

/** Stores one of the provider's models (sessions, codes, tokens …) in memory. The provider itself rejects expired entries. */
function memoryAdapter(): Adapter {
  const stored = new Map<string, AdapterPayload>();
  return {
    upsert: async (id, payload) => {
      stored.set(id, payload);
    },
    find: async (id) => stored.get(id),
    findByUid: async (uid) => [...stored.values()].find((payload) => payload.uid === uid),
    // User codes are for devices without a browser, which cannot sign in here.
    findByUserCode: async () => undefined,
    consume: async (id) => {
      const payload = stored.get(id);
      if (payload) payload.consumed = Math.floor(Date.now() / 1000);
    },
    destroy: async (id) => {
      stored.delete(id);
    },
    revokeByGrantId: async (grantId) => {
      for (const [id, payload] of stored) if (payload.grantId === grantId) stored.delete(id);
    },
  };
}
