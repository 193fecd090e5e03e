import { NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import type { GetInputPropsReturnType } from "@mantine/form";
import { bodyOf } from "../api/adminApi.ts";
import type { Webhook } from "../api/types.ts";
import { exactTime } from "../parts/Labels.tsx";
import { WriteForm } from "../parts/WriteForm.tsx";
import { useAdmin } from "../session/admin.ts";

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

const periods = [
  { value: String(hourMs), label: "The last hour" },
  { value: String(dayMs), label: "The last 24 hours" },
  { value: String(7 * dayMs), label: "The last 7 days" },
  // The service applies its limit of 30 days when the request arrives.
  { value: String(30 * dayMs - hourMs), label: "The last 30 days" },
  { value: "at", label: "Since a date and time" },
];

interface Start {
  /** Milliseconds before now, or "at" for a date and time. */
  period: string;
  /** The start of the period, counted when it was chosen, so that a repeated request is the same; or a local date and time. */
  at: string;
}

function startOf(period: string): Start {
  return { period, at: period === "at" ? "" : new Date(Date.now() - Number(period)).toISOString() };
}

export function ReplayForm({ webhook: { id, status } }: { webhook: Webhook }) {
  const { api, done, showWebhook } = useAdmin();
  return (
    <WriteForm
      initial={{ from: startOf(String(hourMs)) }}
      validate={({ from }) => ({ from: from.at === "" && "Choose a date and a time." })}
      onSend={async ({ from }) => {
        const body = { from: new Date(from.at).toISOString() };
        showWebhook(id, await bodyOf(api.POST("/admin/webhooks/{id}/replay", { params: { path: { id } }, body })));
        const when = status === "active" ? "within a minute" : "when you resume the webhook";
        done(`The changes will be sent again ${when}.`);
      }}
      action="Send again"
      what="the replay was started"
      advice="Try again: doing it twice does no harm."
    >
      {(form) => (
        <>
          <Text size="sm">
            Sends all changes since the chosen time again. If something changed several times, only its latest change is
            sent. The receiver may get changes that it has already processed.
          </Text>
          <StartField {...form.getInputProps("from")} />
        </>
      )}
    </WriteForm>
  );
}

function StartField({ value, error, onChange }: GetInputPropsReturnType) {
  const start: Start = value;
  const isExact = start.period === "at";
  return (
    <Stack gap="xs">
      <NativeSelect
        label="Which changes?"
        data={periods}
        value={start.period}
        onChange={(event) => onChange(startOf(event.currentTarget.value))}
        error={!isExact && error}
      />
      {isExact ? (
        <TextInput
          type="datetime-local"
          label="Since"
          description={`In the time zone of this computer, ${Intl.DateTimeFormat().resolvedOptions().timeZone}; at most 30 days ago.`}
          value={start.at}
          onChange={(event) => onChange({ ...start, at: event.currentTarget.value })}
          error={error}
        />
      ) : (
        <Text size="sm" c="dimmed">
          Since {exactTime(start.at)}.
        </Text>
      )}
    </Stack>
  );
}
