import { Alert, Button, createTheme, MantineProvider, Stack, Text } from "@mantine/core";
import { QueryClientProvider, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { adminApi } from "./api/adminApi.ts";
import { keysKey, queryClient, show, webhooksKey } from "./api/queries.ts";
import { DeveloperArea } from "./DeveloperArea.tsx";
import { Frame, StartPage } from "./Frame.tsx";
import { SecretOnce, unstored } from "./keys/CreateKey.tsx";
import { Dialog, DialogFrame, Question } from "./parts/Dialog.tsx";
import { Toast, type ToastText } from "./parts/Notices.tsx";
import { type Admin, AdminContext, type Loss, useAdmin } from "./session/admin.ts";
import type { Session } from "./session/session.ts";
import type { SessionState, UnstoredSecret } from "./session/sessionState.ts";

const purpose =
  "Manage the API keys and webhooks that give other systems access to your organisation's ticketing data. Only super-admins can do this.";

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

const theme = createTheme({
  primaryColor: "teal",
  respectReducedMotion: true,
  cursorType: "pointer",
  components: { Badge: { defaultProps: { variant: "light", tt: "none" } } },
});

/** The theme. Mantine's variables and global classes are in the style sheets, because the page must not need <style> elements. */
export function Theme({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      {children}
    </MantineProvider>
  );
}

interface SignedInProps {
  session: Session;
  state: Extract<SessionState, { stage: "signedIn" }>;
}

/** The page of a signed-in person. Its cache and state end with the session. */
function SignedIn({ session, state: { person, expired, idle, failure } }: SignedInProps) {
  const [client] = useState(queryClient);
  const [toast, setToast] = useState<ToastText | null>(null);
  const dismiss = useCallback(() => setToast(null), []);
  const [loss, setLoss] = useState<Loss | null>(null);
  const [leaving, setLeaving] = useState(false);
  const [dialog, open] = useState<ReactNode>(null);
  const api = useMemo(() => adminApi(session), [session]);
  const covered = expired || idle;
  const admin = useMemo(
    (): Admin => ({
      person,
      covered,
      loss,
      setLoss,
      api,
      showKey: (changed) => show(client, keysKey, changed.id, changed),
      showWebhook: (id, changed) => show(client, webhooksKey, id, changed),
      signOut: () => (loss ? setLeaving(true) : void session.signOut()),
      keepSecret: (secret) => session.keepSecret(secret),
      open,
      done: (text) => {
        open(null);
        if (text) setToast({ text });
      },
      announce: (text) => setToast({ text }),
    }),
    [session, client, api, person, covered, loss],
  );
  return (
    <AdminContext value={admin}>
      <QueryClientProvider client={client}>
        <Frame person={person} onSignOut={admin.signOut}>
          <Toast toast={toast} onDismiss={dismiss} />
          <DeveloperArea />
        </Frame>
        {/* Outside the page, so that neither a tab change nor a lost permission removes a secret from the screen. */}
        {dialog}
        {expired && (
          <ExpiredDialog failure={failure} onSignIn={() => void session.signInAgain()} onSignOut={admin.signOut} />
        )}
        {idle && !expired && (
          <Question
            title="Are you still there?"
            text="There has been no activity for 29 minutes. You will be signed out in one minute."
            back="Stay signed in"
            on="Sign out"
            onGoBack={() => session.stay()}
            onGoOn={admin.signOut}
          />
        )}
        {leaving && loss && (
          <Question
            title="Sign out without finishing?"
            text={loss.text}
            back="Go back"
            on="Sign out"
            onGoBack={() => setLeaving(false)}
            onGoOn={() => void session.signOut()}
          />
        )}
      </QueryClientProvider>
    </AdminContext>
  );
}

/** Shows the secret that was on the screen, or on its way there, when the session ended. */
function SecretDialog({ secret, onStored }: { secret: UnstoredSecret; onStored: () => void }) {
  return (
    <Dialog title="You are signed out" staysOpen={unstored(secret.name)}>
      <Stack>
        <Text size="sm">Store this key now. It cannot be shown again.</Text>
        <SecretOnce {...secret} onStored={onStored} />
      </Stack>
    </Dialog>
  );
}

interface ExpiredDialogProps {
  failure: string | null;
  onSignIn: () => void;
  onSignOut: () => void;
}

/** Asks a person whose session has expired to sign in again in a second window. */
function ExpiredDialog({ failure, onSignIn, onSignOut }: ExpiredDialogProps) {
  const { person } = useAdmin();
  const client = useQueryClient();
  // Repeats the queries that failed while the session was expired.
  useEffect(() => () => void client.invalidateQueries(), [client]);
  return (
    <DialogFrame onTop title="Your session has expired">
      <Stack>
        <Text>
          Sign in again as <b>{person.email}</b> in a second window. This page stays open, so you lose nothing.
        </Text>
        {failure && (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        <Button data-autofocus onClick={onSignIn}>
          Sign in again
        </Button>
        <Button variant="subtle" onClick={onSignOut}>
          Sign out instead
        </Button>
      </Stack>
    </DialogFrame>
  );
}
