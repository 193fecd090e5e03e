import { Alert, Button, Group, Text } from "@mantine/core";
import type { ApiKey } from "../../api/apiKey.ts";
import { useNow } from "../../parts/useNow.ts";
import { LastUse } from "../LastUse.tsx";
import { usageVerdict } from "./usageVerdict.ts";

interface WatchStepProps {
  old: ApiKey;
  successor: ApiKey;
  onBack: () => void;
  onNext: () => void;
  onLeave: () => void;
}

/** The last use of both keys, refreshed, and its meaning. */
export function WatchStep({ old, successor, onBack, onNext, onLeave }: WatchStepProps) {
  const { safe, text } = usageVerdict(old, successor, useNow());
  return (
    <>
      <div className="side-by-side">
        <KeyUse title="Old key" apiKey={old} />
        <KeyUse title="New key" apiKey={successor} />
      </div>
      <Alert color={safe ? "teal" : "yellow"} title={safe ? "The old key can go" : "Not yet"}>
        <span role="status">{text}</span>
      </Alert>
      <Text size="sm" c="dimmed">
        This refreshes every 20 seconds. Last use is accurate to a minute. You can close this dialog, and later choose
        “Continue” in the list.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack}>
          Back
        </Button>
        <Button variant="default" onClick={onLeave}>
          Close and watch later
        </Button>
        <Button onClick={onNext} variant={safe ? "filled" : "default"}>
          Revoke the old key…
        </Button>
      </Group>
    </>
  );
}

function KeyUse({ title, apiKey }: { title: string; apiKey: ApiKey }) {
  return (
    <section aria-label={title} className="key-use">
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <Text fw={600} className="key-name">
        {apiKey.name}
      </Text>
      <code>{apiKey.prefix}</code>
      <Text size="sm">
        Last used: <LastUse apiKey={apiKey} />
      </Text>
    </section>
  );
}
