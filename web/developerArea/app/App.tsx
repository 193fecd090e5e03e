import { useSyncExternalStore } from "react";
import { SecretDialog } from "./frame/SecretDialog.tsx";
import { SignedIn } from "./frame/SignedIn.tsx";
import { StartPage } from "./frame/StartPage.tsx";
import type { Session } from "./session/session.ts";

const purpose =
  "Create the API keys that let other systems read your organisation's ticketing data, see when they were last used, and revoke them. Only super-admins can do this.";

export function App({ session }: { session: Session }) {
  const state = useSyncExternalStore(session.subscribe, session.state);
  if (state.stage === "signedIn") return <SignedIn session={session} state={state} />;
  if (state.stage === "signingIn") return <StartPage busy text="Signing you in…" />;
  const { failure, notice, secret } = state;
  const action = { label: failure ? "Try again" : "Sign in", act: () => void session.signIn() };
  return (
    <>
      <StartPage text={purpose} failure={failure} notice={notice} action={action} />
      {secret && <SecretDialog secret={secret} onStored={() => session.keepSecret(null)} />}
    </>
  );
}
