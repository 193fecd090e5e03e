import { Alert, Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import type { GetInputPropsReturnType } from "@mantine/form";
import { type ReactNode, useState } from "react";
import { useLoss } from "../session/admin.ts";
import { exactTime } from "./Labels.tsx";
import { choose, timeZone, type When } from "./when.ts";

interface SecretShownProps {
  title: string;
  advice: ReactNode;
  /** Why nothing closes the dialog. */
  unstored: string;
  onStored: () => void;
  /** The secret. */
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
  /** Null if a keyboard cannot type it. */
  name: string | null;
  /** What may be typed instead, such as a key's prefix. */
  alternative: string;
}

/** Asks for the name of what a system probably depends on. */
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
            Type <code className="key-name">{name ?? alternative}</code> to confirm
          </>
        }
        description={
          name !== null &&
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

interface WhenFieldProps extends GetInputPropsReturnType {
  label: string;
  choices: { value: string; label: string }[];
  /** The label of the field for a date and time. */
  atLabel?: string;
  /** What the date and time must be. */
  limit?: string;
}

/** A choice of a time, in the person's time zone. */
export function WhenField({ label, choices, atLabel = "Date and time", limit, ...input }: WhenFieldProps) {
  const { error, onChange } = input;
  const when: When = input.value;
  return (
    <Stack gap="xs">
      <NativeSelect
        label={label}
        data={choices}
        value={when.choice}
        onChange={(event) => onChange(choose(event.currentTarget.value))}
        error={when.choice === "at" ? undefined : error}
      />
      {when.choice === "at" && (
        <TextInput
          type="datetime-local"
          label={atLabel}
          description={`In the time zone of this computer, ${timeZone()}${limit === undefined ? "" : `; ${limit}`}.`}
          value={when.at}
          onChange={(event) => onChange({ ...when, at: event.currentTarget.value })}
          error={error}
        />
      )}
      {when.end !== null && (
        <Text size="sm" c="dimmed">
          That is {exactTime(when.end)}.
        </Text>
      )}
    </Stack>
  );
}
