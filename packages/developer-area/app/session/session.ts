import { ErrorResponse, type SigninResponse } from "oidc-client-ts";
import * as z from "../zod.ts";
import { answers, type IdentityProvider, identityProvider, windowMark } from "./identityProvider.ts";
import { type IdleTimer, OtherTabs, startIdleTimer } from "./idleTimer.ts";
import { type Configuration, type Person, readClaims, type SessionState, type UnstoredSecret } from "./sessionState.ts";

/** In this browser's storage after a session was ended; then only a click signs in again. */
const endedMark = "developer-area.ended";

/** What comes back with the provider's response. */
const SignInRequest = z.object({
  /** What the page showed. */
  hash: z.string(),
  isSilent: z.boolean(),
});
type SignInRequest = z.infer<typeof SignInRequest>;

/** A token with less than this left is renewed before it is used. */
const renewalMarginMs = 60_000;

/** The sign-in state. The tokens are only in memory, in private fields, and are lost when the page closes. */
export class Session {
  #state: SessionState = { stage: "signedOut", failure: null, notice: null, secret: null };
  #tokens: SigninResponse | null = null;
  #renewal: Promise<void> | null = null;
  #awaited: string | null = null;
  #secret: UnstoredSecret | null = null;
  #idleTimer: IdleTimer | null = null;
  readonly #tabs = new OtherTabs();
  readonly #listeners = new Set<() => void>();
  readonly #configuration: Configuration;
  readonly #provider: IdentityProvider;

  constructor(configuration: Configuration) {
    this.#configuration = configuration;
    this.#provider = identityProvider(configuration);
    new BroadcastChannel(answers).addEventListener("message", ({ data }) => void this.#signedInElsewhere(data));
    this.#tabs.listen((message) => {
      if (this.#state.stage !== "signedIn" || message.kind !== "signedOut") return;
      if (message.subject === this.#state.person.subject) this.#end({ notice: "You signed out in another tab." });
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): SessionState => this.#state;

  /** Sends the browser to the identity provider. */
  signIn(): Promise<void> {
    return this.#request({ hash: location.hash, isSilent: false });
  }

  /**
   * Signs in without a click if the provider still knows the person, such as after a reload or in a second tab. Does nothing if the last
   * session in this browser was ended, by the person or by the idle time.
   */
  async signInSilently(): Promise<void> {
    if (localStorage.getItem(endedMark) === null) await this.#request({ hash: location.hash, isSilent: true });
  }

  async #request(data: SignInRequest): Promise<void> {
    this.#become({ stage: "signingIn" });
    try {
      const { url } = await this.#provider.request(data, data.isSilent ? "none" : undefined);
      // Without an entry in the history, from which Back would only lead here again.
      if (data.isSilent) location.replace(url);
      else location.assign(url);
    } catch (error) {
      this.#end({ failure: data.isSilent ? null : signInFailure(error) });
    }
  }

  /** Completes the sign-in from the provider's response in this page's URL. */
  async complete(answer: string): Promise<void> {
    this.#become({ stage: "signingIn" });
    try {
      const tokens = await this.#provider.redeem(answer);
      const { person } = readClaims(tokens.profile, this.#configuration);
      restoreHash(SignInRequest.safeParse(tokens.userState).data);
      this.#begin(tokens, person);
    } catch (error) {
      const request = error instanceof ErrorResponse ? SignInRequest.safeParse(error.state).data : undefined;
      restoreHash(request);
      this.#end({ failure: request?.isSilent ? null : signInFailure(error) });
    }
  }

  /** Opens a second window to sign in again, so that nothing on this page is lost. */
  async signInAgain(): Promise<void> {
    if (this.#state.stage !== "signedIn") return;
    try {
      const { url, state } = await this.#provider.requestAgain(this.#state.person.email, windowMark);
      this.#awaited = state.id;
      if (!window.open(url, "_blank", "popup,width=520,height=720")) {
        this.#say("Your browser blocked the sign-in window. Allow pop-ups for this site, then try again.");
      }
    } catch (error) {
      this.#say(signInFailure(error));
    }
  }

  /** Deletes the tokens here and in the other tabs, then ends the provider's session. */
  async signOut(): Promise<void> {
    if (this.#state.stage === "signedIn") this.#tabs.send({ kind: "signedOut", subject: this.#state.person.subject });
    this.#secret = null;
    localStorage.setItem(endedMark, "");
    this.#end({});
    try {
      const url = await this.#provider.signOutUrl();
      if (url) location.assign(url);
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
    if (this.#tokens?.refresh_token && this.#expiresSoon(this.#tokens)) {
      this.#renewal ??= this.#renew(this.#tokens).finally(() => {
        this.#renewal = null;
      });
      await this.#renewal;
    }
    return this.#tokens?.id_token ?? "";
  }

  /** Call when the API has rejected the token. */
  expire(): void {
    if (this.#state.stage === "signedIn" && !this.#state.expired) this.#become({ ...this.#state, expired: true });
  }

  #begin(tokens: SigninResponse, person: Person): void {
    this.#tokens = tokens;
    this.#idleTimer ??= startIdleTimer(
      this.#tabs,
      (idle) => this.#state.stage === "signedIn" && this.#become({ ...this.#state, idle }),
      () => {
        localStorage.setItem(endedMark, "");
        this.#end({ notice: "You were signed out after 30 minutes without activity." });
      },
    );
    localStorage.removeItem(endedMark);
    this.#become({ stage: "signedIn", person, expired: false, idle: false, failure: null });
  }

  /** Keeps nothing but an unstored secret. */
  #end({ failure = null, notice = null }: { failure?: string | null; notice?: string | null }): void {
    this.#tokens = null;
    this.#idleTimer?.stop();
    this.#idleTimer = null;
    this.#become({ stage: "signedOut", failure, notice, secret: this.#secret });
  }

  #expiresSoon({ profile }: SigninResponse): boolean {
    const { expires } = readClaims(profile, this.#configuration);
    return expires.getTime() - Date.now() < renewalMarginMs;
  }

  async #renew(previous: SigninResponse): Promise<void> {
    try {
      const renewed = await this.#provider.renew(previous);
      // The person may have signed out, or in again, in the meantime.
      if (this.#tokens === previous) this.#tokens = renewed;
    } catch (error) {
      // The old token is used once more, and the API decides. A rejected refresh token is not retried.
      if (error instanceof ErrorResponse) delete previous.refresh_token;
    }
  }

  async #signedInElsewhere(answer: unknown): Promise<void> {
    if (typeof answer !== "string" || this.#state.stage !== "signedIn") return;
    const state = new URL(answer).searchParams.get("state");
    if (this.#awaited === null || !state?.startsWith(`${this.#awaited};`)) return;
    this.#awaited = null;
    try {
      const tokens = await this.#provider.redeem(answer);
      const { person } = readClaims(tokens.profile, this.#configuration);
      // The person may have signed out in the meantime.
      if (this.#state.stage !== "signedIn") return;
      const { subject, email } = this.#state.person;
      if (person.subject !== subject) {
        throw new SignInFailure(`You signed in as ${person.email}. To continue here, sign in as ${email}.`);
      }
      this.#begin(tokens, person);
    } catch (error) {
      this.#say(signInFailure(error));
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

function restoreHash(request: SignInRequest | undefined): void {
  if (request) history.replaceState(null, "", request.hash || location.pathname);
}

/** A failure to sign in, in words for the person. */
class SignInFailure extends Error {}

/** What happened and what to do. The messages of libraries are for developers. */
function signInFailure(error: unknown): string {
  if (error instanceof SignInFailure) return error.message;
  if (error instanceof ErrorResponse) return refusal(error);
  if (error instanceof TypeError) return "The sign-in service does not respond. Check your connection and try again.";
  if (error instanceof Error && error.message.startsWith("No matching state")) return expired;
  return "Signing in failed. Try again. If it fails again, ask the operator of the service.";
}

const expired = "This sign-in has expired or was already used. Sign in again.";

function refusal({ error, error_description }: ErrorResponse): string {
  if (error === "invalid_grant" || error === "login_required") return expired;
  const description = error_description?.replace(/\.$/, "");
  if (error === "access_denied") {
    return `The sign-in service did not let you in: ${description ?? "access denied"}. Try again, or ask a super-admin.`;
  }
  return `The sign-in service reported: ${description ?? error}. Try again later.`;
}
