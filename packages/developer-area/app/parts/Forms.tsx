import { Alert, Button, Checkbox, Group, Stack, TextInput } from "@mantine/core";
import type { GetInputPropsReturnType } from "@mantine/form";
import { type ReactNode, useState } from "react";
import { useLoss } from "../session/admin.ts";

interface SecretShownProps {
  title: string;
  advice: ReactNode;
  /** The reason why nothing closes the dialog. */
  unstored: string;
  onStored: () => void;
  children: ReactNode;
}

/** Shows a secret that cannot be shown again, until the person has stored it. */
export function SecretShown({ title, advice, unstored, onStored, children }: SecretShownProps) {
  const [stored, setStored] = useState(false);
  useLoss({ locked: true, text: unstored });
  return (
    <Stack>
      <Alert color="yellow" title={title}>
        {advice}
      </Alert>
      {children}
      <Checkbox
        label="I have stored it"
        checked={stored}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button disabled={!stored} onClick={onStored}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}

interface TypedConfirmationProps extends GetInputPropsReturnType {
  title: string;
  advice: string;
  name: string;
  /** A text that may be typed instead, such as a key's prefix. */
  alternative: string;
}

/** Asks a person to type the name of something that a system probably depends on. */
export function TypedConfirmation({ title, advice, name, alternative, ...input }: TypedConfirmationProps) {
  return (
    <>
      <Alert color="yellow" title={title}>
        {advice}
      </Alert>
      <TextInput
        {...input}
        label={
          <>
            Type <code className="key-name">{name}</code> to confirm
          </>
        }
        description={
          name !== alternative && (
            <>
              Or type <code>{alternative}</code>.
            </>
          )
        }
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
    </>
  );
}
