import { QueryClientProvider } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { adminApi } from "../api/adminApi.ts";
import { queryClient } from "../api/queryClient.ts";
import { DeveloperArea } from "../DeveloperArea.tsx";
import { LossDialog } from "../parts/LossDialog.tsx";
import { type Admin, AdminContext, type Loss } from "../session/admin.ts";
import type { Session } from "../session/session.ts";
import type { SessionState } from "../session/sessionState.ts";
import { ExpiredDialog } from "./ExpiredDialog.tsx";
import { Frame } from "./Frame.tsx";
import { IdleDialog } from "./IdleDialog.tsx";
import { Toast, type ToastText } from "./Toast.tsx";

interface SignedInProps {
  session: Session;
  state: Extract<SessionState, { stage: "signedIn" }>;
}

/** The page of a signed-in person. Its cache and state end with the session. */
export function SignedIn({ session, state: { person, expired, idle, failure } }: SignedInProps) {
  const [client] = useState(queryClient);
  const [toast, setToast] = useState<ToastText | null>(null);
  const dismiss = useCallback(() => setToast(null), []);
  const [loss, setLoss] = useState<Loss | null>(null);
  const [leaving, setLeaving] = useState(false);
  const api = useMemo(() => adminApi(session), [session]);
  const covered = expired || idle;
  const admin = useMemo(
    (): Admin => ({
      person,
      covered,
      loss,
      setLoss,
      api,
      signOut: () => (loss ? setLeaving(true) : void session.signOut()),
      keepSecret: (secret) => session.keepSecret(secret),
      announce: (text) => setToast({ text }),
    }),
    [session, api, person, covered, loss],
  );
  return (
    <AdminContext value={admin}>
      <QueryClientProvider client={client}>
        <Frame person={person} onSignOut={admin.signOut}>
          <Toast toast={toast} onDismiss={dismiss} />
          <DeveloperArea />
        </Frame>
        {expired && (
          <ExpiredDialog failure={failure} onSignIn={() => void session.signInAgain()} onSignOut={admin.signOut} />
        )}
        {idle && !expired && <IdleDialog onStay={() => session.stay()} onSignOut={admin.signOut} />}
        {leaving && loss && (
          <LossDialog
            action="Sign out"
            text={loss.text}
            onGoBack={() => setLeaving(false)}
            onGoOn={() => void session.signOut()}
          />
        )}
      </QueryClientProvider>
    </AdminContext>
  );
}
