import { OidcClient, type SigninRequest, type SigninResponse, WebStorageStateStore } from "oidc-client-ts";
import type { Configuration } from "./configuration.ts";

const here = () => `${location.origin}/developer`;

/** The identity provider: authorization code with PKCE. Tokens are returned to the caller and kept nowhere. */
export interface IdentityProvider {
  /** A request to send a browser window to. `data` comes back with the answer; `mark` stands in the answer's URL. */
  request(data: string, mark?: string): Promise<SigninRequest>;
  /** Exchanges the provider's answer for tokens; an answer that nobody here asked for fails. */
  redeem(answer: string): Promise<SigninResponse>;
  renew(previous: SigninResponse): Promise<SigninResponse>;
  /** Where the provider ends its own session, without a token in the URL; null if it cannot. */
  signOutUrl(): Promise<string | null>;
}

/** The provider that the configuration names. */
export function identityProvider({ issuer, client_id, scope }: Configuration): IdentityProvider {
  const client = new OidcClient({
    authority: issuer,
    client_id,
    scope,
    redirect_uri: here(),
    // Only what ties the answer to its request waits here, until the answer comes.
    stateStore: new WebStorageStateStore({ store: sessionStorage, prefix: "sign-in." }),
  });
  return {
    request: (data, mark) => client.createSigninRequest({ state: data, ...(mark && { url_state: mark }) }),
    redeem: (answer) => client.processSigninResponse(answer),
    async renew(previous) {
      const { refresh_token = "", id_token, session_state, scope: granted, profile } = previous;
      const state = { refresh_token, id_token, session_state, scope: granted, profile };
      // biome-ignore lint/correctness/useHookAtTopLevel: it only sounds like one.
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
  // Amazon Cognito has a name of its own for it.
  if (new URL(issuer).hostname.startsWith("cognito-idp.")) url.searchParams.set("logout_uri", here());
  return url.href;
}
