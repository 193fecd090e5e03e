import { ErrorResponse, type SigninResponse } from "oidc-client-ts";
import type { Configuration } from "./configuration.ts";
import { type IdentityProvider, identityProvider } from "./identityProvider.ts";
import { type Person, readClaims } from "./person.ts";
import { answers, windowMark } from "./providerAnswer.ts";

export type SessionState =
  | { stage: "signingIn" }
  | { stage: "signedOut"; failure: string | null }
  /** `expired`: the API takes the token no longer. The page stays, until the same person has signed in again. */
  | { stage: "signedIn"; person: Person; expired: boolean; failure: string | null };

/** A token with less than this left is renewed before it is used. */
const renewalMarginMs = 60_000;

/** Who is signed in. The tokens are in memory, in private fields, and go with the page. */
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

  /** Takes the provider's answer that this page was opened with. */
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

  /** Forgets the tokens, then ends the provider's session too. */
  async signOut(): Promise<void> {
    this.#tokens = null;
    this.#become({ stage: "signedOut", failure: null });
    try {
      const url = await this.#provider.signOutUrl();
      if (url) location.assign(url);
    } catch {
      const failure =
        "You are signed out here, but the sign-in service could not be told. Close the browser to be sure.";
      this.#become({ stage: "signedOut", failure });
    }
  }

  /** The token for the next request, renewed if it is about to expire and the provider lets us. */
  async idToken(): Promise<string> {
    if (this.#tokens?.refresh_token && this.#expiresSoon(this.#tokens)) {
      this.#renewal ??= this.#renew(this.#tokens).finally(() => {
        this.#renewal = null;
      });
      await this.#renewal;
    }
    return this.#tokens?.id_token ?? "";
  }

  /** The API refused the token. */
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
      // Someone may have signed out, or in again, meanwhile.
      if (this.#tokens === previous) this.#tokens = renewed;
    } catch (error) {
      // The old token goes out once more, and the API judges it. A refresh token that was refused is not tried again.
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
  if (error instanceof ErrorResponse) return `The sign-in service answered: ${error.error_description ?? error.error}.`;
  if (error instanceof TypeError) return "The sign-in service does not answer. Check your connection and try again.";
  return error instanceof Error ? error.message : "Signing in failed.";
}
