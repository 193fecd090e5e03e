import type { Person } from "./person.ts";

export type SessionState =
  | { stage: "signingIn" }
  /** `notice`: why the session ended. `secret` stays on the screen. */
  | { stage: "signedOut"; failure: string | null; notice: string | null; secret: UnstoredSecret | null }
  /**
   * `expired`: the API rejects the token. The page stays open until the same person has signed in again.
   * `idle`: the session ends soon, because there is no input.
   */
  | { stage: "signedIn"; person: Person; expired: boolean; idle: boolean; failure: string | null };

/** A key's secret that the person has not stored yet. */
export interface UnstoredSecret {
  name: string;
  secret: string;
}
