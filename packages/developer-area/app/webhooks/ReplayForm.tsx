import { Text, TextInput } from "@mantine/core";
import { bodyOf } from "../api/adminApi.ts";
import type { Webhook } from "../api/types.ts";
import { localTime } from "../parts/relativeTime.ts";
import { WriteForm } from "../parts/WriteForm.tsx";
import { useAdmin } from "../session/admin.ts";

const hourMs = 60 * 60 * 1000;

/** A local time in the form of its input field. */
function anHourAgo(): string {
  return localTime(new Date(Date.now() - hourMs).toISOString()).slice(0, "YYYY-MM-DDTHH:MM".length);
}

export function ReplayForm({ webhook: { id, status } }: { webhook: Webhook }) {
  const { api, done, showWebhook } = useAdmin();
  return (
    <WriteForm
      initial={{ from: anHourAgo() }}
      validate={({ from }) => ({ from: from === "" && "Choose a date and a time." })}
      onSend={async ({ from }) => {
        const body = { from: new Date(from).toISOString() };
        showWebhook(id, await bodyOf(api.POST("/admin/webhooks/{id}/replay", { params: { path: { id } }, body })));
        const when = status === "active" ? "within a minute" : "when you resume the webhook";
        done(`The changes will be sent again ${when}.`);
      }}
      action="Send again"
      outcome={{ done: "the replay was started", failed: "The replay was not started" }}
      advice="Try again: doing it twice does no harm."
    >
      {(form) => (
        <>
          <Text size="sm">
            Sends all changes since the chosen time again. If something changed several times, only its latest change is
            sent. The receiver may get changes that it has already processed.
          </Text>
          <TextInput
            type="datetime-local"
            label="Since"
            description={`In the time zone of this computer, ${Intl.DateTimeFormat().resolvedOptions().timeZone}; at most 30 days ago.`}
            {...form.getInputProps("from")}
          />
        </>
      )}
    </WriteForm>
  );
}
