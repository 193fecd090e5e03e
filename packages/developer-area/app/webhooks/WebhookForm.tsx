import { Box, Checkbox, Stack, TextInput } from "@mantine/core";
import type { GetInputPropsReturnType } from "@mantine/form";
import { useState } from "react";
import { bodyOf } from "../api/adminApi.ts";
import type { Webhook } from "../api/types.ts";
import { CopyField } from "../parts/CopyField.tsx";
import { SecretShown } from "../parts/Forms.tsx";
import { type Outcome, useIdempotencyKey, WriteForm } from "../parts/WriteForm.tsx";
import { useAdmin } from "../session/admin.ts";
import { keyAsText, types } from "./webhookRules.ts";

type Settings = Pick<Webhook, "url" | "types" | "description">;

/** The form, then the signing secret of the created webhook. */
export function CreateWebhook() {
  const { api, done, showWebhook } = useAdmin();
  const [secret, setSecret] = useState<string | null>(null);
  const idempotencyKey = useIdempotencyKey();
  const finish = () => done("The webhook is created. Its first message can take a minute.");
  if (secret !== null) return <WebhookSecret secret={secret} onStored={finish} />;
  return (
    <WebhookForm
      initial={{ url: "", types: null, description: null }}
      onSend={async (body) => {
        const params = { header: { "Idempotency-Key": idempotencyKey(body) } };
        const { secret, ...created } = await bodyOf(api.POST("/admin/webhooks", { body, params }));
        setSecret(secret);
        showWebhook(created.id, created);
      }}
      action="Create webhook"
      outcome={{ done: "the webhook was created", failed: "The webhook was not created" }}
      pending="A webhook is being created, and only this page can show its secret."
      advice="The webhook may exist. Try again without changing anything: that never creates a second webhook."
    />
  );
}

interface WebhookFormProps {
  initial: Settings;
  onSend: (settings: Settings) => Promise<void>;
  action: string;
  outcome: Outcome;
  pending?: string;
  advice: string;
}

export function WebhookForm({ initial: { url, types, description }, onSend, ...texts }: WebhookFormProps) {
  return (
    <WriteForm
      initial={{ url, types, description: description ?? "" }}
      validate={(values) => ({
        url: values.url.trim() === "" && "Enter the receiver's address.",
        types: values.types?.length === 0 && "Choose at least one.",
      })}
      onSend={(values) =>
        onSend({ url: values.url.trim(), types: values.types, description: values.description.trim() || null })
      }
      unsaved="What you entered is not saved."
      {...texts}
    >
      {(form) => (
        <>
          <TextInput
            data-autofocus
            type="url"
            label="Address"
            description="The receiver's URL. A deployed service requires https and a public host."
            placeholder="https://crm.example.org/ticketing"
            autoComplete="off"
            required
            {...form.getInputProps("url")}
          />
          <TypeChoice {...form.getInputProps("types")} />
          <TextInput
            label="Description"
            description="The receiving system, so that everyone knows what stops if the webhook is deleted."
            autoComplete="off"
            {...form.getInputProps("description")}
          />
        </>
      )}
    </WriteForm>
  );
}

/** A choice of types; null for all. */
function TypeChoice({ value, onChange, error }: GetInputPropsReturnType) {
  return (
    <Stack gap="xs">
      <Checkbox
        label="All changes"
        description="Includes types that are added later."
        checked={value === null}
        onChange={(event) => onChange(event.currentTarget.checked ? null : [])}
      />
      {value !== null && (
        <Checkbox.Group label="Changes of" value={value} onChange={onChange} error={error}>
          <Box className="columns" mt="xs">
            {types.map(({ type, title }) => (
              <Checkbox key={type} value={type} label={title} />
            ))}
          </Box>
        </Checkbox.Group>
      )}
    </Stack>
  );
}

/** Shows a signing secret on demand, until the person has stored it. */
export function WebhookSecret({ secret, onStored }: { secret: string; onStored: () => void }) {
  const text = keyAsText(secret);
  return (
    <SecretShown
      title="Give this secret to the receiver now"
      advice="The receiver uses it to check that messages come from this service. It cannot be shown again. If you lose it, rotate it."
      unstored="You have not stored the signing secret yet. Tick “I have stored it”, then press Done."
      onStored={onStored}
    >
      <CopyField
        label="Signing secret"
        copyLabel="Copy secret"
        value={secret}
        secret={secret}
        visiblePart={"whsec_".length}
        rows={2}
        autoFocus
      />
      {text !== undefined && (
        <CopyField
          label="The same secret as text"
          description="For a tool that signs with the text that it is given: 32 letters, digits, hyphens and underscores."
          copyLabel="Copy text"
          value={text}
          secret={text}
          visiblePart={0}
          rows={1}
        />
      )}
    </SecretShown>
  );
}
