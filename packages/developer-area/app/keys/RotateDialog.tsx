import { Alert, Button, Group, Paper, Stack, Text, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import type { ApiKey } from "../api/types.ts";
import { Dialog } from "../parts/Dialog.tsx";
import { focusOnMount, useNow } from "../parts/hooks.ts";
import { Icon } from "../parts/Labels.tsx";
import { useAdmin } from "../session/admin.ts";
import { CreateKey } from "./CreateKey.tsx";
import { LastUse } from "./KeyLabels.tsx";
import { usageVerdict } from "./keyRules.ts";
import { outcomeOf, RevokeForm } from "./RevokeDialog.tsx";

const steps = ["Create", "Switch", "Watch", "Revoke"];

interface RotateDialogProps {
  apiKey: ApiKey;
  /** The replacement, once it exists. */
  successor: ApiKey | null;
  onClose: () => void;
}

/** Replaces a key without interruption, step by step. A rotation can be left and continued. */
export function RotateDialog({ apiKey, successor, onClose }: RotateDialogProps) {
  const { announce, loss } = useAdmin();
  const [chosen, setStep] = useState(successor ? stepWith(successor) : 0);
  // Neither the old key's revocation nor a successor from elsewhere removes a secret or a form from the screen.
  const isRevoked = apiKey.status === "revoked" && (!loss || (!loss.locked && successor === null));
  const isTooLate = isRevoked && successor === null;
  const step = isRevoked ? 4 : chosen === 0 && successor && !loss ? stepWith(successor) : chosen;
  return (
    <Dialog title={`Rotate “${apiKey.name}”`} size="xl" onClose={onClose}>
      <Stack>
        {!isTooLate && <Steps current={step} />}
        <section key={step} ref={focusOnMount} tabIndex={-1} aria-label={steps[step] ?? "Done"}>
          <Stack>{current()}</Stack>
        </section>
      </Stack>
    </Dialog>
  );

  function current() {
    if (isTooLate) return <TooLate old={apiKey} onClose={onClose} />;
    if (isRevoked && successor) return <Finished old={apiKey} successor={successor} onClose={onClose} />;
    if (successor === null || step === 0) {
      return (
        <>
          <Text size="sm">
            Create the new key first. The old key, <code>{apiKey.prefix}</code>, keeps working until you revoke it.
          </Text>
          <CreateKey predecessor={apiKey} onStored={() => setStep(1)} />
        </>
      );
    }
    if (step === 1) return <SwitchStep old={apiKey} successor={successor} onNext={() => setStep(2)} />;
    if (step === 2) {
      return (
        <WatchStep
          old={apiKey}
          successor={successor}
          onBack={() => setStep(1)}
          onNext={() => setStep(3)}
          onLeave={onClose}
        />
      );
    }
    const finish = (changed: ApiKey) => {
      const isOver = changed.status === "revoked";
      announce(`${outcomeOf(changed)}${isOver ? " The rotation is complete." : ""}`);
      if (!isOver) onClose();
    };
    const advice = "Make sure that nothing depends on it anymore.";
    return (
      <RevokeForm apiKey={apiKey} successor={successor} advice={advice} onDone={finish} onCancel={() => setStep(2)} />
    );
  }
}

/** Where to continue: a key that was never used may not have been given to the integration yet. */
function stepWith(successor: ApiKey): number {
  return successor.last_used === null ? 1 : 2;
}

function Steps({ current }: { current: number }) {
  return (
    <ol className="steps">
      {steps.map((name, index) => (
        <li
          key={name}
          aria-current={index === current ? "step" : undefined}
          data-done={index < current ? "" : undefined}
        >
          {index < current ? (
            <>
              <Icon path="m5 13 4 4L19 7" /> <VisuallyHidden>Done: </VisuallyHidden>
            </>
          ) : (
            `${index + 1} `
          )}
          {name}
        </li>
      ))}
    </ol>
  );
}

interface Keys {
  old: ApiKey;
  successor: ApiKey;
}

/** The old key was revoked, or its successor was, before there was a working new key. */
function TooLate({ old, onClose }: { old: ApiKey; onClose: () => void }) {
  return (
    <>
      <Alert color="yellow" role="status" title="This key is revoked">
        “{old.name}” is revoked{old.revoked_by !== null && ` by ${old.revoked_by}`}, and a revoked key cannot be
        rotated. If its integration must continue, create a new key for it.
      </Alert>
      <Group justify="flex-end">
        <Button onClick={onClose}>Close</Button>
      </Group>
    </>
  );
}

function Finished({ old, successor, onClose }: Keys & { onClose: () => void }) {
  const { person } = useAdmin();
  return (
    <>
      <Text>
        “{old.name}” is revoked{old.revoked_by !== person.email && ` by ${old.revoked_by}`}, and “{successor.name}” has
        taken its place.
      </Text>
      <Group justify="flex-end">
        <Button onClick={onClose}>Finish</Button>
      </Group>
    </>
  );
}

function SwitchStep({ old, successor, onNext }: Keys & { onNext: () => void }) {
  return (
    <>
      <Text size="sm">Now give the new key to everything that uses the old one:</Text>
      <Text component="ol" size="sm" my="xs" pl="lg">
        <li>
          Find where “{old.name}” keeps its key: a secret manager, an environment variable, a settings page. It is the
          value that begins with <code>{old.prefix}</code>.
        </li>
        <li>
          Put the new key in its place. It begins with <code>{successor.prefix}</code>, and goes into the same header:{" "}
          <code>Authorization: Bearer …</code>
        </li>
        <li>Restart or redeploy the integration if it reads its settings only at start.</li>
      </Text>
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

interface WatchStepProps extends Keys {
  onBack: () => void;
  onNext: () => void;
  onLeave: () => void;
}

/** The last use of both keys, refreshed, and its meaning. */
function WatchStep({ old, successor, onBack, onNext, onLeave }: WatchStepProps) {
  const { safe, text } = usageVerdict(old, successor, useNow());
  return (
    <>
      <div className="columns">
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
    <Paper component="section" withBorder radius="md" p="md" aria-label={title}>
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
    </Paper>
  );
}
