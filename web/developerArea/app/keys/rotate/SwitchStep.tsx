import { Button, Group, Text } from "@mantine/core";
import type { ApiKey } from "../../api/apiKey.ts";

interface SwitchStepProps {
  old: ApiKey;
  successor: ApiKey;
  onNext: () => void;
}

export function SwitchStep({ old, successor, onNext }: SwitchStepProps) {
  return (
    <>
      <Text size="sm">Now give the new key to everything that uses the old one:</Text>
      <ol className="instructions">
        <li>
          Find where “{old.name}” keeps its key: a secret manager, an environment variable, a settings page. It is the
          value that begins with <code>{old.prefix}</code>.
        </li>
        <li>
          Put the new key in its place. It begins with <code>{successor.prefix}</code>, and goes into the same header:{" "}
          <code>Authorization: Bearer …</code>
        </li>
        <li>Restart or redeploy the integration if it reads its settings only at start.</li>
      </ol>
      <Text size="sm">Both keys work until the old one is revoked, so nothing is interrupted.</Text>
      <Text size="sm" c="dimmed">
        If you have lost the new key's secret, close this dialog, revoke “{successor.name}”, and rotate again.
      </Text>
      <Group justify="flex-end">
        <Button onClick={onNext}>It uses the new key</Button>
      </Group>
    </>
  );
}
