import { ErrorResponse } from "oidc-client-ts";

/** A failure to sign in, in words for the person. */
export class SignInFailure extends Error {}

/** What happened and what to do. The messages of libraries are for developers. */
export function signInFailure(error: unknown): string {
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
