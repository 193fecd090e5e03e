import { OidcClient, type SigninResponse, WebStorageStateStore } from "oidc-client-ts";
import type { Configuration } from "./sessionState.ts";

const here = () => `${location.origin}/developer`;

/** The identity provider: authorization code with PKCE. It returns tokens to the caller and does not store them. */
export type IdentityProvider = ReturnType<typeof identityProvider>;

export function identityProvider({ issuer, client_id, scope }: Configuration) {
  const client = new OidcClient({
    authority: issuer,
    client_id,
    scope,
    requestTimeoutInSeconds: 15,
    redirect_uri: here(),
    // Stores only what links the response to its request, until the response comes.
    stateStore: new WebStorageStateStore({ store: sessionStorage, prefix: "sign-in." }),
  });
  return {
    /** Creates the URL for a sign-in. `data` comes back with the response. With prompt "none", the provider asks the person nothing. */
    request: (data: unknown, prompt?: "none") => client.createSigninRequest({ state: data, ...(prompt && { prompt }) }),
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

/** Marks sign-ins in a second window, while the page that requested them stays open. */
export const windowMark = "window";

/** The channel from a second window to the page that requested the sign-in. Only pages of this origin can receive it. */
export const answers = "developer-area-answers";

/** The URL with the provider's response, if the browser was redirected here with one. It is removed from the address bar. */
export function takeProviderAnswer(): URL | null {
  const url = new URL(location.href);
  const { searchParams } = url;
  if (!searchParams.has("state") || !(searchParams.has("code") || searchParams.has("error"))) return null;
  history.replaceState(null, "", url.pathname);
  return url;
}

export function isForAnotherWindow(answer: URL): boolean {
  return answer.searchParams.get("state")?.endsWith(`;${windowMark}`) ?? false;
}

/** Sends the response to the other window. Clears the session storage, which is a copy of the other window's. */
export function handOver(answer: URL): void {
  const channel = new BroadcastChannel(answers);
  channel.postMessage(answer.href);
  channel.close();
  sessionStorage.clear();
  window.close();
}
