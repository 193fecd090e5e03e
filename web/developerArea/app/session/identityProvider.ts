import { OidcClient, type SigninResponse, WebStorageStateStore } from "oidc-client-ts";
import type { Configuration } from "./configuration.ts";

const here = () => `${location.origin}/developer`;

/** The identity provider: authorization code with PKCE. It returns tokens to the caller and does not store them. */
export type IdentityProvider = ReturnType<typeof identityProvider>;

export function identityProvider({ issuer, client_id, scope }: Configuration) {
  const client = new OidcClient({
    authority: issuer,
    client_id,
    scope,
    redirect_uri: here(),
    // Stores only what links the response to its request, until the response comes.
    stateStore: new WebStorageStateStore({ store: sessionStorage, prefix: "sign-in." }),
  });
  return {
    /** Creates the URL for a sign-in. `data` comes back with the response. */
    request: (data: string) => client.createSigninRequest({ state: data }),
    /** Creates the URL for signing in again as the same person. `mark` is part of the response's URL. */
    requestAgain: (email: string, mark: string) =>
      // Without the prompt, a provider with another person's session would return that person each time.
      client.createSigninRequest({ state: "", url_state: mark, prompt: "login", login_hint: email }),
    /** Exchanges the provider's response for tokens. Throws if this page did not request it. */
    redeem: (responseUrl: string) => client.processSigninResponse(responseUrl),
    async renew(previous: SigninResponse): Promise<SigninResponse> {
      const { refresh_token = "", id_token, session_state, scope: granted, profile } = previous;
      const state = { refresh_token, id_token, session_state, scope: granted, profile };
      // biome-ignore lint/correctness/useHookAtTopLevel: not a React hook, despite its name.
      const renewed = await client.useRefreshToken({ state });
      renewed.refresh_token ??= refresh_token;
      return renewed;
    },
    /** The URL that ends the provider's session, without a token in it; null if the provider has none. */
    async signOutUrl(): Promise<string | null> {
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
