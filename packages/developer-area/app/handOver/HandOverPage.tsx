import { Alert, Anchor, Button, Stack, Text, TextInput, Title } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Frame } from "../Frame.tsx";
import { Scopes } from "../keys/KeyLabels.tsx";
import { CopyField, SecretFields } from "../parts/CopyField.tsx";
import { useTitle } from "../parts/hooks.ts";
import { Facts } from "../parts/ItemPage.tsx";
import { exactTime } from "../parts/Labels.tsx";
import { type Content, codeIn, unsealed } from "./handOver.ts";

/** The page behind a link that {@link sealedLink} made. It needs no account, and sends nothing. */
export function HandOverPage({ sealed }: { sealed: string | null }) {
  const [content, setContent] = useState<Content | null>(null);
  useTitle("A secret for you");
  return (
    <Frame>
      <Stack gap={20} maw="46rem">
        <Title order={1} size="h2">
          A secret for you
        </Title>
        {sealed === null ? (
          <Alert color="red" role="alert" title="This link is not valid">
            A part of it is missing or was changed. Some mail programs cut long links off: copy the whole link from the
            message into the browser's address field, or ask for it to be sent again.
          </Alert>
        ) : content ? (
          <Opened {...content} />
        ) : (
          <CodeForm sealed={sealed} onOpen={setContent} />
        )}
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
    if (code === null) return setProblem("A code has 15 letters and digits, such as 4FQ9W-2BYC8-XT3KM.");
    setProblem(null);
    setBusy(true);
    // A text that is not JSON was not encrypted here either.
    const content = await unsealed(sealed, code, location.origin)
      .catch(() => undefined)
      .finally(() => setBusy(false));
    if (content) onOpen(content);
    else if (content === undefined) setProblem("This link is not valid: it was not made at this address.");
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
          The secret is decrypted in this browser. Nothing is sent.
        </Text>
      </Stack>
    </form>
  );
}

function Opened({ kind, name, secret, organisation, scopes, revokes_at }: Content) {
  const isKey = kind === "key";
  const hasEnded = revokes_at !== null && new Date(revokes_at) < new Date();
  const facts = {
    Organisation: organisation,
    Scopes: isKey && <Scopes names={scopes} />,
    [hasEnded ? "Ended" : "Ends"]: isKey && (revokes_at === null ? "When somebody revokes it" : exactTime(revokes_at)),
  };
  return (
    <>
      <Alert
        color="yellow"
        role="status"
        title={isKey ? `This is the key “${name}”` : `This is the signing secret of the webhook “${name}”`}
      >
        Put it where your program reads its secrets, such as a secret manager. Never put it into a chat, an e-mail or a
        repository. After you reload or leave this page, the code opens the link again. The link also stays in this
        browser's history, where it is worthless without the code.
      </Alert>
      <Facts facts={facts} />
      <SecretFields kind={kind} secret={secret} />
      {isKey && <CopyField label="Base URL" copyLabel="Copy URL" value={location.origin} rows={1} />}
      <Text size="sm">
        {isKey
          ? "Every operation, field and error is in the "
          : "With it, your receiver checks that messages come from here. How is in the guide on webhooks in the "}
        <Anchor href="/docs" target="_blank" rel="noopener" underline="always">
          API reference (opens in a new tab)
        </Anchor>
        .
      </Text>
    </>
  );
}
