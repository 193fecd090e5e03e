import { Button, Group } from "@mantine/core";
import type { ApiKey } from "../api/apiKey.ts";
import type { OpenDialog } from "./KeyDialog.tsx";

interface KeyActionsProps {
  apiKey: ApiKey;
  rotating: boolean;
  onOpen: (dialog: OpenDialog) => void;
}

/** What can be done with an active key. */
export function KeyActions({ apiKey: { id, name }, rotating, onOpen }: KeyActionsProps) {
  return (
    <Group gap={4} wrap="nowrap">
      <Button
        variant="default"
        size="compact-sm"
        aria-label={rotating ? `Continue rotation of ${name}` : `Rotate ${name}`}
        onClick={() => onOpen({ kind: "rotate", keyId: id })}
      >
        {rotating ? (
          <>
            Continue<span className="in-full"> rotation</span>
          </>
        ) : (
          "Rotate"
        )}
      </Button>
      <Button
        variant="subtle"
        color="red"
        size="compact-sm"
        aria-label={`Revoke ${name}`}
        onClick={() => onOpen({ kind: "revoke", keyId: id })}
      >
        Revoke
      </Button>
    </Group>
  );
}
