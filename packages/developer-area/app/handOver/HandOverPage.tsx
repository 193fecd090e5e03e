import { Alert, Anchor, Button, Stack, Text, TextInput, Title } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Frame } from "../Frame.tsx";
import { CopyField, SecretFields } from "../parts/CopyField.tsx";
import { useTitle } from "../parts/hooks.ts";
import { type Content, codeIn, unsealed } from "./handOver.ts";

/** The page behind a link that {@link sealedLink} made. It needs no account, and sends nothing. */
export function HandOverPage({ sealed }: { sealed: string | null }) {
  const [content, setContent] = useState<Content | null>(null);
  useTitle("An API key for you");
  const open = (opened: Content) => {
    // The browser's history keeps no link that a code on a note beside it would open.
    history.replaceState(null, "", location.pathname);
    setContent(opened);
  };
  return (
    <Frame>
      <Stack gap={20} maw="46rem">
        <Title order={1} size="h2">
          An API key for you
        </Title>
        {sealed === null && (
          <Alert color="red" role="alert" title="This link is incomplete">
            A part of it is missing or was changed. Some mail programs cut long links off: copy the whole link from the
            message into the browser's address field, or ask for it to be sent again.
          </Alert>
        )}
        {sealed !== null && (content ? <Opened {...content} /> : <CodeForm sealed={sealed} onOpen={open} />)}
      </Stack>
    </Frame>
  );
}

function CodeForm({ sealed, onOpen }: { sealed: string; onOpen: (content: Content) => void }) {
  const [typed, setTyped] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const code = codeIn(typed);
    if (code === null) return setProblem("A code has ten letters and digits, such as 4FQ9W-2BYC8.");
    setProblem(null);
    setBusy(true);
    const content = await unsealed(sealed, code, location.origin).finally(() => setBusy(false));
    if (content) onOpen(content);
    else setProblem("This code does not open the link. Check it, or ask whether it belongs to this link.");
  };
  return (
    <form onSubmit={submit} noValidate aria-busy={busy}>
      <Stack align="flex-start">
        <Text>Enter the code that you got from the sender, for example by telephone.</Text>
        <TextInput
          label="Code"
          value={typed}
          error={problem}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus
          required
        />
        <Button type="submit" loading={busy}>
          Open
        </Button>
        <Text size="sm" c="dimmed">
          The key is decrypted in this browser. Nothing is sent.
        </Text>
      </Stack>
    </form>
  );
}

function Opened({ name, secret, baseUrl }: Content) {
  return (
    <>
      <Alert color="yellow" role="status" title={`This is the key “${name}”`}>
        Put it where your program reads its secrets, such as a secret manager. Never put it into a chat, an e-mail or a
        repository. When you leave this page, you need the link and the code to see it again.
      </Alert>
      <SecretFields secret={secret} />
      <CopyField label="Base URL" copyLabel="Copy URL" value={baseUrl} rows={1} />
      <Text size="sm">
        Every operation, field and error is in the{" "}
        <Anchor href="/docs" target="_blank" rel="noopener" underline="always">
          API reference (opens in a new tab)
        </Anchor>
        , with guides for the first steps.
      </Text>
    </>
  );
}
