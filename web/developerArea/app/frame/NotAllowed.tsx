import { Alert, Button, Stack, Text } from "@mantine/core";
import { useAdmin } from "../session/admin.ts";

/** For a signed-in person who is not a super-admin. */
export function NotAllowed() {
  const { person, signOut } = useAdmin();
  return (
    <Alert color="yellow" role="alert" title="You may not manage API keys" mt="md">
      <Stack align="flex-start">
        <Text size="sm">
          You are signed in as <b>{person.email}</b>. Only super-admins of {person.organisation ?? "your organisation"}{" "}
          can create, view and revoke API keys; no other permission allows this. Ask one of them, or sign in as someone
          else.
        </Text>
        <Button variant="default" size="xs" onClick={signOut}>
          Sign out
        </Button>
      </Stack>
    </Alert>
  );
}
