import { QueryClientProvider } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { adminApi } from "../api/adminApi.ts";
import { queryClient } from "../api/queryClient.ts";
import { DeveloperArea } from "../DeveloperArea.tsx";
import { AdminContext } from "../session/admin.ts";
import type { Session, SessionState } from "../session/session.ts";
import { ExpiredDialog } from "./ExpiredDialog.tsx";
import { Frame } from "./Frame.tsx";
import { Outcome } from "./Outcome.tsx";

interface SignedInProps {
  session: Session;
  state: Extract<SessionState, { stage: "signedIn" }>;
}

/** The page of a signed-in person. Its cache and state end with the session. */
export function SignedIn({ session, state: { person, expired, failure } }: SignedInProps) {
  const [client] = useState(queryClient);
  const [outcome, setOutcome] = useState("");
  const admin = useMemo(
    () => ({
      person,
      expired,
      api: adminApi(session),
      signOut: () => void session.signOut(),
      announce: setOutcome,
    }),
    [session, person, expired],
  );
  return (
    <AdminContext value={admin}>
      <QueryClientProvider client={client}>
        <Frame person={person} onSignOut={admin.signOut}>
          <Outcome text={outcome} onDismiss={() => setOutcome("")} />
          <DeveloperArea />
        </Frame>
        {expired && <ExpiredDialog failure={failure} onSignIn={() => void session.signInAgain()} />}
      </QueryClientProvider>
    </AdminContext>
  );
}
