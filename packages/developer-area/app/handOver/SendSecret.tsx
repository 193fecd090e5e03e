import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { CopyField } from "../parts/CopyField.tsx";
import { type Content, grouped, newCode, sealedLink } from "./handOver.ts";

const words = {
  key: { what: "the API key", withdraw: "revoke the key" },
  webhook: { what: "the signing secret of the webhook", withdraw: "rotate the secret" },
};

/** Makes a link with an encrypted secret, and the code that opens it. */
export function SendSecret({ content }: { content: Content }) {
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState<{ code: string; message: string } | null>(null);
  const make = async () => {
    setBusy(true);
    const code = newCode();
    const link = await sealedLink(content, code, location.origin);
    setSent({ code: grouped(code), message: messageWith(link, content) });
    setBusy(false);
  };
  if (sent === null) {
    return (
      <Group>
        <Button variant="default" loading={busy} onClick={() => void make()}>
          Send to a developer…
        </Button>
      </Group>
    );
  }
  return (
    <Stack>
      <CopyField
        label="Message with a link"
        copyLabel="Copy message"
        description="Send this by e-mail or chat. Without the code, nobody can open the link."
        value={sent.message}
        rows={8}
        autoFocus
      />
      <CopyField
        label="Code"
        copyLabel="Copy code"
        description="Give this another way, such as by telephone. Never put it into the same message."
        value={sent.code}
        rows={1}
      />
      <Text size="sm" c="dimmed">
        The link contains the secret, encrypted in this browser. Nothing was stored, so nobody can withdraw the link: to
        do that, {words[content.kind].withdraw}.
      </Text>
    </Stack>
  );
}

function messageWith(link: string, { kind, name, organisation }: Content): string {
  return `Here is ${words[kind].what} “${name}”${organisation === null ? "" : ` of ${organisation}`}
for the Ticketing API. Open this link, and enter the code that you get from me
by telephone:

${link}

The page decrypts the secret in your browser. Put it where your program reads
its secrets, and delete this message.`;
}
