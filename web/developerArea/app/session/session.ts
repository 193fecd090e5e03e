import { ErrorResponse, type SigninResponse } from "oidc-client-ts";
import type { Configuration } from "./configuration.ts";
import { type IdentityProvider, identityProvider } from "./identityProvider.ts";
import { type Person, readClaims } from "./person.ts";
import { answers, windowMark } from "./providerAnswer.ts";

export type SessionState =
  | { stage: "signingIn" }
  | { stage: "signedOut"; failure: string | null }
  /** `expired`: the API rejects the token. The page stays open until the same person has signed in again. */
  | { stage: "signedIn"; person: Person; expired: boolean; failure: string | null };

/** A token with less than this left is renewed before it is used. */
const renewalMarginMs = 60_000;

/** The sign-in state. The tokens are only in memory, in private fields, and are lost when the page closes. */
export class Session {
  #state: SessionState = { stage: "signedOut", failure: null };
  #tokens: SigninResponse | null = null;
  #renewal: Promise<void> | null = null;
  #awaited: string | null = null;
  readonly #listeners = new Set<() => void>();
  readonly #organisationClaim: string;
  readonly #provider: IdentityProvider;

  constructor(configuration: Configuration) {
    this.#organisationClaim = configuration.organisation_claim;
    this.#provider = identityProvider(configuration);
    new BroadcastChannel(answers).addEventListener("message", ({ data }) => void this.#signedInElsewhere(data));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): SessionState => this.#state;

  /** Sends the browser to the identity provider. */
  async signIn(): Promise<void> {
    this.#become({ stage: "signingIn" });
    try {
      const { url } = await this.#provider.request(location.hash);
      location.assign(url);
    } catch (error) {
      this.#become({ stage: "signedOut", failure: sentence(error) });
    }
  }

  /** Completes the sign-in from the provider's response in this page's URL. */
  async complete(answer: string): Promise<void> {
    this.#become({ stage: "signingIn" });
    try {
      const tokens = await this.#provider.redeem(answer);
      const { person } = readClaims(tokens.profile, this.#organisationClaim);
      this.#tokens = tokens;
      if (typeof tokens.userState === "string") history.replaceState(null, "", tokens.userState || location.pathname);
      this.#become({ stage: "signedIn", person, expired: false, failure: null });
    } catch (error) {
      this.#become({ stage: "signedOut", failure: sentence(error) });
    }
  }

  /** Opens a second window to sign in again, so that nothing on this page is lost. */
  async signInAgain(): Promise<void> {
    try {
      const { url, state } = await this.#provider.request("", windowMark);
      this.#awaited = state.id;
      if (!window.open(url, "_blank", "popup,width=520,height=720")) {
        this.#say("Your browser blocked the sign-in window. Allow pop-ups for this site, then try again.");
      }
    } catch (error) {
      this.#say(sentence(error));
    }
  }

  /** Deletes the tokens, then ends the provider's session. */
  async signOut(): Promise<void> {
    this.#tokens = null;
    this.#become({ stage: "signedOut", failure: null });
    try {
      const url = await this.#provider.signOutUrl();
      if (url) location.assign(url);
    } catch {
      const failure =
        "You are signed out here, but possibly not from the sign-in service. Close the browser to be sure.";
      this.#become({ stage: "signedOut", failure });
    }
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

  #expiresSoon({ profile }: SigninResponse): boolean {
    const { expires } = readClaims(profile, this.#organisationClaim);
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
      const { person } = readClaims(tokens.profile, this.#organisationClaim);
      const { subject, email } = this.#state.person;
      if (person.subject !== subject) throw new Error(`That was ${person.email}. To go on here, sign in as ${email}.`);
      this.#tokens = tokens;
      this.#become({ stage: "signedIn", person, expired: false, failure: null });
    } catch (error) {
      this.#say(sentence(error));
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

function sentence(error: unknown): string {
  if (error instanceof ErrorResponse && error.error === "access_denied") {
    return `The sign-in service did not let you in: ${error.error_description ?? "access denied"}.`;
  }
  if (error instanceof ErrorResponse) return `The sign-in service reported: ${error.error_description ?? error.error}.`;
  if (error instanceof TypeError) return "The sign-in service does not respond. Check your connection and try again.";
  return error instanceof Error ? error.message : "Signing in failed.";
}
