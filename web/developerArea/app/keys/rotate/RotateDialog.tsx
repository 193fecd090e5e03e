import { Button, Group, Stack, Text, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import type { ApiKey } from "../../api/apiKey.ts";
import { Dialog } from "../../parts/Dialog.tsx";
import { focusOnMount } from "../../parts/focusOnMount.ts";
import { Icon } from "../../parts/Icon.tsx";
import { useAdmin } from "../../session/admin.ts";
import { CreateKey } from "../create/CreateKey.tsx";
import { RevokeForm } from "../revoke/RevokeForm.tsx";
import { SwitchStep } from "./SwitchStep.tsx";
import { WatchStep } from "./WatchStep.tsx";

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
  const isRevoked = apiKey.status === "revoked" && !loss;
  const step = isRevoked ? 4 : chosen === 0 && successor && !loss ? stepWith(successor) : chosen;
  return (
    <Dialog title={`Rotate “${apiKey.name}”`} size="xl" onClose={onClose}>
      <Stack>
        <Steps current={step} />
        <section key={step} ref={focusOnMount} tabIndex={-1} aria-label={steps[step] ?? "Done"} className="step">
          <Stack>{current()}</Stack>
        </section>
      </Stack>
    </Dialog>
  );

  function current() {
    if (isRevoked) return <Finished old={apiKey} successor={successor} onClose={onClose} />;
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
    const finish = () => announce(`Key “${apiKey.name}” is revoked. The rotation is complete.`);
    const advice = "Make sure that nothing depends on it anymore.";
    return <RevokeForm apiKey={apiKey} advice={advice} onRevoked={finish} onCancel={() => setStep(2)} />;
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
  successor: ApiKey | null;
  onClose: () => void;
}

function Finished({ old, successor, onClose }: FinishedProps) {
  const { person } = useAdmin();
  return (
    <>
      <Text>
        “{old.name}” is revoked{old.revoked_by !== person.email && ` by ${old.revoked_by}`}
        {successor && `, and “${successor.name}” has taken its place`}.
      </Text>
      <Group justify="flex-end">
        <Button onClick={onClose}>Finish</Button>
      </Group>
    </>
  );
}
