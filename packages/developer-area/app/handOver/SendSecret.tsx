import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { CopyField } from "../parts/CopyField.tsx";
import { baseUrlAt, grouped, newCode, sealedLink } from "./handOver.ts";

interface SendKeyProps {
  /** The key's name. */
  name: string;
  secret: string;
}

/** Makes a link with the encrypted secret, and the code that opens it. */
export function SendKey({ name, secret }: SendKeyProps) {
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState<{ code: string; message: string } | null>(null);
  const make = async () => {
    setBusy(true);
    const code = newCode();
    const { origin } = location;
    const link = await sealedLink({ name, secret, baseUrl: baseUrlAt(origin) }, code, origin);
    setSent({ code: grouped(code), message: messageWith(link, name) });
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
        The link contains the key, encrypted in this browser. Nothing was stored, so nobody can withdraw the link: to do
        that, revoke the key.
      </Text>
    </Stack>
  );
}

function messageWith(link: string, name: string): string {
  return `Here is the API key “${name}” for the Ticketing API. Open this link, and
enter the code that you get from me by telephone:

${link}

The page decrypts the key in your browser, and shows how to begin. Put the
key where your program reads its secrets, and delete this message.`;
}
