import { OidcClient, type SigninRequest, type SigninResponse, WebStorageStateStore } from "oidc-client-ts";
import type { Configuration } from "./configuration.ts";

const here = () => `${location.origin}/developer`;

/** The identity provider: authorization code with PKCE. It returns tokens to the caller and does not store them. */
export interface IdentityProvider {
  /** Creates the URL for a sign-in. `data` comes back with the response. */
  request(data: string): Promise<SigninRequest>;
  /** Creates the URL for signing in again as the same person. `mark` is part of the response's URL. */
  requestAgain(email: string, mark: string): Promise<SigninRequest>;
  /** Exchanges the provider's response for tokens. Throws if this page did not request it. */
  redeem(responseUrl: string): Promise<SigninResponse>;
  renew(previous: SigninResponse): Promise<SigninResponse>;
  /** The URL that ends the provider's session, without a token in it; null if the provider has none. */
  signOutUrl(): Promise<string | null>;
}

export function identityProvider({ issuer, client_id, scope }: Configuration): IdentityProvider {
  const client = new OidcClient({
    authority: issuer,
    client_id,
    scope,
    redirect_uri: here(),
    // Stores only what links the response to its request, until the response comes.
    stateStore: new WebStorageStateStore({ store: sessionStorage, prefix: "sign-in." }),
  });
  return {
    request: (data) => client.createSigninRequest({ state: data }),
    // Without the prompt, a provider that knows another person would return that one again and again.
    requestAgain: (email, mark) =>
      client.createSigninRequest({ state: "", url_state: mark, prompt: "login", login_hint: email }),
    redeem: (responseUrl) => client.processSigninResponse(responseUrl),
    async renew(previous) {
      const { refresh_token = "", id_token, session_state, scope: granted, profile } = previous;
      const state = { refresh_token, id_token, session_state, scope: granted, profile };
      // biome-ignore lint/correctness/useHookAtTopLevel: not a React hook, despite its name.
      const renewed = await client.useRefreshToken({ state });
      renewed.refresh_token ??= refresh_token;
      return renewed;
    },
    async signOutUrl() {
      const endpoint = await client.metadataService.getEndSessionEndpoint();
      return endpoint ? signOutUrl(endpoint, issuer, client_id) : null;
    },
  };
}

function signOutUrl(endpoint: string, issuer: string, clientId: string): string {
  const url = new URL(endpoint);
  url.searchParams.set("client_id", clientId);
  url.searchParams.set("post_logout_redirect_uri", here());
  // Amazon Cognito's name for this parameter.
  if (new URL(issuer).hostname.startsWith("cognito-idp.")) url.searchParams.set("logout_uri", here());
  return url.href;
}
