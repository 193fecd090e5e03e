import { ErrorResponse, InMemoryWebStorage, type User, UserManager, WebStorageStateStore } from "oidc-client-ts";
import { type IdleTimer, startIdleTimer, type TabMessage } from "./idleTimer.ts";
import { type Configuration, personOf, type SessionState, type UnstoredSecret } from "./sessionState.ts";

/** Stored in this browser once a session was ended; then only a click signs in again. */
const endedMark = "developer-area.ended";

/** Marks a second window's sign-in in the URL of the provider's response. */
const windowMark = ";window";

/** Returned with the provider's response. */
interface SignInRequest {
  hash: string;
  isSilent: boolean;
}

/** A token with less than this left is renewed before it is used. */
const renewalMarginMs = 60_000;

/** The sign-in state. The tokens are only in memory, and are lost when the page closes. */
export class Session {
  #state: SessionState = { stage: "signedOut", failure: null, notice: null, secret: null };
  #user: User | null = null;
  #renewal: Promise<void> | null = null;
  #secret: UnstoredSecret | null = null;
  #idleTimer: IdleTimer | null = null;
  readonly #tabs = new BroadcastChannel("developer-area-tabs");
  readonly #listeners = new Set<() => void>();
  readonly #configuration: Configuration;
  readonly #manager: UserManager;

  constructor(configuration: Configuration) {
    this.#configuration = configuration;
    this.#manager = userManager(configuration);
    this.#tabs.addEventListener("message", ({ data }: MessageEvent<TabMessage>) => {
      if (this.#state.stage !== "signedIn" || data.kind !== "signedOut") return;
      if (data.subject === this.#state.person.subject) this.#end({ notice: "You signed out in another tab." });
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): SessionState => this.#state;

  /**
   * Signs in without a click if the provider still knows the person, such as after a reload or in a second tab. Does nothing if the last
   * session in this browser was ended, by the person or by the idle time.
   */
  async signInSilently(): Promise<void> {
    if (localStorage.getItem(endedMark) === null) await this.signIn(true);
  }

  /** Sends the browser to the identity provider. */
  async signIn(isSilent = false): Promise<void> {
    this.#become({ stage: "signingIn" });
    const state: SignInRequest = { hash: location.hash, isSilent };
    try {
      // Without an entry in the history, because Back would only lead here again.
      const silent = { prompt: "none", redirectMethod: "replace" } as const;
      await this.#manager.signinRedirect({ state, ...(isSilent && silent) });
    } catch (error) {
      this.#end({ failure: isSilent ? null : signInFailure(error) });
    }
  }

  /** Completes the sign-in from the provider's response in this page's URL. */
  async complete(answer: string): Promise<void> {
    this.#become({ stage: "signingIn" });
    try {
      const user = await this.#manager.signinRedirectCallback(answer);
      restoreHash(user.state as SignInRequest);
      this.#begin(user);
    } catch (error) {
      const request = error instanceof ErrorResponse ? (error.state as SignInRequest | undefined) : undefined;
      restoreHash(request);
      this.#end({ failure: request?.isSilent ? null : signInFailure(error) });
    }
  }

  /** Opens a second window to sign in again, so that nothing on this page is lost. */
  async signInAgain(): Promise<void> {
    if (this.#state.stage !== "signedIn") return;
    const { subject, email } = this.#state.person;
    try {
      const user = await this.#manager.signinPopup({
        // Without the prompt, a provider with another person's session would return that person each time.
        prompt: "login",
        login_hint: email,
        url_state: windowMark.slice(1),
        popupWindowFeatures: { width: 520, height: 720 },
      });
      // The person may have signed out in the meantime.
      const isSame = user.profile.sub === subject && this.#state.stage === "signedIn";
      if (isSame) this.#begin(user);
      else await this.#manager.storeUser(this.#user);
      const { email: other } = personOf(user.profile, this.#configuration);
      if (!isSame) this.#say(`You signed in as ${other}. To continue here, sign in as ${email}.`);
    } catch (error) {
      this.#say(error instanceof Error && error.message.includes("disposed window") ? blocked : signInFailure(error));
    }
  }

  /** In the second window: sends the provider's response to the page that waits for it, and closes the window. */
  async handOver(answer: URL): Promise<void> {
    // The browser has copied the other window's storage.
    sessionStorage.clear();
    // The waiting page listens to a channel whose name has no mark.
    answer.searchParams.set("state", answer.searchParams.get("state")?.replace(windowMark, "") ?? "");
    await this.#manager.signinPopupCallback(answer.href);
  }

  /** Deletes the tokens here and in the other tabs, then ends the provider's session. */
  async signOut(): Promise<void> {
    if (this.#state.stage === "signedIn") {
      this.#tabs.postMessage({ kind: "signedOut", subject: this.#state.person.subject } satisfies TabMessage);
    }
    this.#secret = null;
    localStorage.setItem(endedMark, "");
    this.#end({});
    try {
      // First, because the address would otherwise contain the user's token.
      await this.#manager.removeUser();
      const { metadataService, settings } = this.#manager;
      if (!(await metadataService.getEndSessionEndpoint())) return;
      // Amazon Cognito's name for the address to return to.
      const isCognito = new URL(settings.authority).hostname.startsWith("cognito-idp.");
      await this.#manager.signoutRedirect(isCognito ? { extraQueryParams: { logout_uri: here() } } : {});
    } catch {
      const failure =
        "You are signed out here, but you may still be signed in at the sign-in service. Close the browser to be sure.";
      this.#end({ failure });
    }
  }

  /** Keeps a secret on the screen, even after the session, until it is called with null. */
  keepSecret(secret: UnstoredSecret | null): void {
    this.#secret = secret;
    if (this.#state.stage === "signedOut") this.#become({ ...this.#state, secret });
  }

  /** Call when the person wants to stay signed in without other input. */
  stay(): void {
    this.#idleTimer?.stay();
  }

  /** The token for the next request, renewed if it expires soon and the provider allows it. */
  async idToken(): Promise<string> {
    if (this.#user?.refresh_token && this.#user.profile.exp * 1000 - Date.now() < renewalMarginMs) {
      this.#renewal ??= this.#renew(this.#user).finally(() => {
        this.#renewal = null;
      });
      await this.#renewal;
    }
    return this.#user?.id_token ?? "";
  }

  /** Call when the API has rejected the token. */
  expire(): void {
    if (this.#state.stage === "signedIn" && !this.#state.expired) this.#become({ ...this.#state, expired: true });
  }

  #begin(user: User): void {
    this.#user = user;
    this.#idleTimer ??= startIdleTimer(
      this.#tabs,
      (idle) => this.#state.stage === "signedIn" && this.#become({ ...this.#state, idle }),
      () => {
        localStorage.setItem(endedMark, "");
        this.#end({ notice: "You were signed out after 30 minutes without activity." });
      },
    );
    localStorage.removeItem(endedMark);
    const person = personOf(user.profile, this.#configuration);
    this.#become({ stage: "signedIn", person, expired: false, idle: false, failure: null });
  }

  /** Keeps nothing but an unstored secret. */
  #end({ failure = null, notice = null }: { failure?: string | null; notice?: string | null }): void {
    this.#user = null;
    void this.#manager.removeUser();
    this.#idleTimer?.stop();
    this.#idleTimer = null;
    this.#become({ stage: "signedOut", failure, notice, secret: this.#secret });
  }

  async #renew(previous: User): Promise<void> {
    try {
      const renewed = await this.#manager.signinSilent();
      // The person may have signed out, or in again, in the meantime.
      if (this.#user === previous) this.#user = renewed;
      else await this.#manager.storeUser(this.#user);
    } catch (error) {
      // The old token is used once more, and the API decides. A rejected refresh token is not retried.
      if (error instanceof ErrorResponse) delete previous.refresh_token;
    }
  }

  #say(failure: string): void {
    if (this.#state.stage === "signedIn") this.#become({ ...this.#state, failure });
  }

  #become(state: SessionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

const here = () => `${location.origin}/developer`;

/** Authorization code with PKCE. */
function userManager({ issuer, client_id, scope }: Configuration): UserManager {
  return new UserManager({
    authority: issuer,
    client_id,
    scope,
    requestTimeoutInSeconds: 15,
    redirect_uri: here(),
    popup_redirect_uri: here(),
    post_logout_redirect_uri: here(),
    // Stores only what links the response to its request, until the response comes.
    stateStore: new WebStorageStateStore({ store: sessionStorage, prefix: "sign-in." }),
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    // The page renews a token only before using it, and not in a frame.
    automaticSilentRenew: false,
  });
}

/** The URL with the provider's response, if the browser was redirected here with one. It is removed from the address bar. */
export function takeProviderAnswer(): URL | null {
  const url = new URL(location.href);
  const { searchParams } = url;
  if (!searchParams.has("state") || !(searchParams.has("code") || searchParams.has("error"))) return null;
  history.replaceState(null, "", url.pathname);
  return url;
}

export function isForAnotherWindow(answer: URL): boolean {
  return answer.searchParams.get("state")?.endsWith(windowMark) ?? false;
}

function restoreHash(request: SignInRequest | undefined): void {
  if (request) history.replaceState(null, "", request.hash || location.pathname);
}

const blocked = "Your browser blocked the sign-in window. Allow pop-ups for this site, then try again.";
const expired = "This sign-in has expired or was already used. Sign in again.";

/** Replaces messages of libraries, which are for developers. */
function signInFailure(error: unknown): string {
  if (error instanceof ErrorResponse) return refusal(error);
  if (error instanceof TypeError) return "The sign-in service does not respond. Check your connection and try again.";
  if (error instanceof Error && error.message.startsWith("No matching state")) return expired;
  return "Signing in failed. Try again. If it fails again, ask the operator of the service.";
}

function refusal({ error, error_description }: ErrorResponse): string {
  if (error === "invalid_grant" || error === "login_required") return expired;
  const description = error_description?.replace(/\.$/, "");
  if (error === "access_denied") {
    return `The sign-in service did not let you in: ${description ?? "access denied"}. Try again, or ask a super-admin.`;
  }
  return `The sign-in service reported: ${description ?? error}. Try again later.`;
}
