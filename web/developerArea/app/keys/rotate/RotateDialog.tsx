import { Button, Group, Stack, Text, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import type { ApiKey } from "../../api/apiKey.ts";
import { Dialog } from "../../parts/Dialog.tsx";
import { focusOnMount } from "../../parts/focusOnMount.ts";
import { Icon } from "../../parts/Icon.tsx";
import { CreateKey } from "../create/CreateKey.tsx";
import { RevokeForm } from "../revoke/RevokeForm.tsx";
import { SwitchStep } from "./SwitchStep.tsx";
import { WatchStep } from "./WatchStep.tsx";

const steps = ["Create", "Switch", "Watch", "Revoke"];

interface RotateDialogProps {
  apiKey: ApiKey;
  /** The replacement, once it exists. */
  successor: ApiKey | null;
  onSuccessor: (id: string) => void;
  onClose: () => void;
}

/** Replaces a key without interruption, step by step. A rotation can be left and resumed at the Watch step. */
export function RotateDialog({ apiKey, successor, onSuccessor, onClose }: RotateDialogProps) {
  const [step, setStep] = useState(successor ? 2 : 0);
  const [locked, setLocked] = useState(false);
  return (
    <Dialog title={`Rotate “${apiKey.name}”`} size="xl" locked={locked} onClose={onClose}>
      <Stack>
        <Steps current={step} />
        <section key={step} ref={focusOnMount} tabIndex={-1} aria-label={steps[step] ?? "Done"} className="step">
          <Stack>{current()}</Stack>
        </section>
      </Stack>
    </Dialog>
  );

  function current() {
    if (successor === null || step === 0) {
      return (
        <>
          <Text size="sm">
            Create the new key first. The old key, <code>{apiKey.prefix}</code>, keeps working until you revoke it.
          </Text>
          <CreateKey
            predecessor={apiKey}
            onLock={setLocked}
            onStored={({ id }) => {
              setLocked(false);
              onSuccessor(id);
              setStep(1);
            }}
          />
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
    if (apiKey.status === "active") {
      const advice = "Make sure that nothing depends on it anymore.";
      return <RevokeForm apiKey={apiKey} advice={advice} onRevoked={() => setStep(4)} onCancel={() => setStep(2)} />;
    }
    return <Finished old={apiKey} successor={successor} onClose={onClose} />;
  }
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
          {index < current && (
            <>
              <Icon path="m5 13 4 4L19 7" /> <VisuallyHidden>Done: </VisuallyHidden>
            </>
          )}
          {name}
        </li>
      ))}
    </ol>
  );
}

interface FinishedProps {
  old: ApiKey;
  successor: ApiKey;
  onClose: () => void;
}

function Finished({ old, successor, onClose }: FinishedProps) {
  return (
    <>
      <Text role="status">
        “{old.name}” is revoked, and “{successor.name}” has taken its place. The rotation is complete.
      </Text>
      <Group justify="flex-end">
        <Button onClick={onClose}>Finish</Button>
      </Group>
    </>
  );
}
