import { NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { exactTime } from "../parts/Labels.tsx";

/** When a key is to be revoked. */
export interface When {
  /** One of the choices' values. */
  choice: string;
  /** For a period: its end, counted from the choice, so that a repeated request is the same. */
  end: string | null;
  /** For "at": the date and time as the browser's field writes it. */
  at: string;
}

export function choose(choice: string): When {
  const end = /^\d+$/.test(choice) ? new Date(Date.now() + Number(choice)).toISOString() : null;
  return { choice, end, at: "" };
}

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** The choices of a new key, by how long it works. */
export const lifetimes = [
  { value: "never", label: "Until somebody revokes it" },
  { value: String(dayMs), label: "24 hours" },
  { value: String(7 * dayMs), label: "7 days" },
  { value: String(30 * dayMs), label: "30 days" },
  { value: String(90 * dayMs), label: "90 days" },
  { value: String(365 * dayMs), label: "1 year" },
  { value: "at", label: "Until a date and time" },
];

/** The choices for an existing key. */
export const moments = [
  { value: "now", label: "Now" },
  { value: String(dayMs), label: "In 24 hours" },
  { value: String(7 * dayMs), label: "In 7 days" },
  { value: "at", label: "At a date and time" },
];

/** As the API's limit. */
const maximumYears = 5;

/** The chosen time in UTC, or why it cannot be; neither for a choice without a time. */
export function timeOf({ choice, end, at }: When): { time?: string; problem?: string } {
  if (choice !== "at") return end === null ? {} : { time: end };
  const now = new Date();
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return { problem: "Choose a date and a time." };
  if (time <= now) return { problem: "Must be in the future." };
  const latest = new Date(now);
  latest.setFullYear(latest.getFullYear() + maximumYears);
  if (time >= latest) return { problem: `Must be within ${maximumYears} years.` };
  return { time: time.toISOString() };
}

interface WhenFieldProps {
  label: string;
  choices: { value: string; label: string }[];
  when: When;
  onChange: (when: When) => void;
  /** Why the API or the page refuses the time. */
  error: string | null;
}

/** A choice of a time, in the person's time zone. */
export function WhenField({ label, choices, when, onChange, error }: WhenFieldProps) {
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
          label="Date and time"
          description={`In the time zone of this computer, ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`}
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
