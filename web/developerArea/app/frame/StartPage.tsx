import { Alert, Button, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { Frame } from "./Frame.tsx";

interface StartPageProps {
  text?: string;
  /** Why the session ended. */
  notice?: string | null;
  failure?: string | null;
  busy?: boolean;
  action?: { label: string; act: () => void };
}

/** The page when nobody is signed in. */
export function StartPage({ text, notice, failure, busy, action }: StartPageProps) {
  return (
    <Frame>
      <Paper className="start-page" withBorder radius="md" p="xl" aria-busy={busy}>
        <Stack align="flex-start">
          <Title order={1} size="h2">
            Developer area
          </Title>
          {failure && (
            <Alert color="red" role="alert" title="That did not work" w="100%">
              {failure}
            </Alert>
          )}
          {notice && (
            <Alert color="yellow" role="status" w="100%">
              {notice}
            </Alert>
          )}
          {text && <Text role="status">{text}</Text>}
          {busy && <Loader size="sm" aria-hidden />}
          {action && <Button onClick={action.act}>{action.label}</Button>}
        </Stack>
      </Paper>
    </Frame>
  );
}
