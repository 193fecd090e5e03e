import { Alert, Button, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { DialogFrame } from "../parts/DialogFrame.tsx";
import { useAdmin } from "../session/admin.ts";

interface ExpiredDialogProps {
  failure: string | null;
  onSignIn: () => void;
  onSignOut: () => void;
}

/** Asks a person whose session has expired to sign in again in a second window. */
export function ExpiredDialog({ failure, onSignIn, onSignOut }: ExpiredDialogProps) {
  const { person } = useAdmin();
  const client = useQueryClient();
  // When the session is renewed, repeat the queries that failed without one.
  useEffect(() => () => void client.invalidateQueries(), [client]);
  return (
    <DialogFrame onTop title="Your session has expired">
      <Stack>
        <Text>
          Sign in again as <b>{person.email}</b> in a second window. This page stays as it is: nothing that you entered
          or have not stored yet is lost.
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
