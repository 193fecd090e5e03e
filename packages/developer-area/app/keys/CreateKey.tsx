import { Alert, Checkbox, Stack, Text, TextInput } from "@mantine/core";
import type { GetInputPropsReturnType } from "@mantine/form";
import { useRef, useState } from "react";
import { ApiError, bodyOf, isUncertain } from "../api/adminApi.ts";
import { useApiKeys } from "../api/queries.ts";
import type { ApiKey, ApiKeyInput, Scope } from "../api/types.ts";
import { CopyField } from "../parts/CopyField.tsx";
import { SecretShown } from "../parts/Forms.tsx";
import { ErrorNotice } from "../parts/Notices.tsx";
import { useIdempotencyKey, WriteForm } from "../parts/WriteForm.tsx";
import { type Loss, useAdmin } from "../session/admin.ts";
import type { UnstoredSecret } from "../session/sessionState.ts";
import { nameProblem, namesakesIn, scopes } from "./keyRules.ts";

/**
 * The form, then the secret of the created key. The secret is only in this component's state and, in case the session ends, in the
 * session's; both forget it once it is stored. The query cache and the list of keys never contain it.
 * @param replaced a key whose name and scopes fill in the form.
 */
export function CreateKey({ replaced }: { replaced?: ApiKey }) {
  const { done, keepSecret } = useAdmin();
  const [created, setCreated] = useState<UnstoredSecret | null>(null);
  const show = (secret: UnstoredSecret) => {
    keepSecret(secret);
    setCreated(secret);
  };
  if (created === null) return <CreateKeyForm replaced={replaced} onCreated={show} />;
  const finish = () => {
    keepSecret(null);
    const next = replaced ? "Switch the integration to it, then revoke the old key." : "";
    done(`Key “${created.name}” is created and active. ${next}`);
  };
  return <SecretOnce {...created} onStored={finish} />;
}

/** A key whose secret was not shown, because the response was lost. */
interface LostKey {
  name: string;
  /** Null if it is unknown whether the key exists. */
  id: string | null;
}

/** Creates keys. Revokes a key whose secret was lost before creating another. */
function useCreation() {
  const { api, showKey } = useAdmin();
  const [lost, setLost] = useState<LostKey | null>(null);
  const replacements = useRef(0);
  const idempotencyKey = useIdempotencyKey();
  const create = async (body: ApiKeyInput, known: () => void) => {
    if (lost?.id) {
      showKey(await bodyOf(api.POST("/admin/api-keys/{id}/revoke", { params: { path: { id: lost.id } } })));
      setLost(null);
      known();
      replacements.current += 1;
    }
    const header = { "Idempotency-Key": idempotencyKey([body, replacements.current]) };
    const response = api.POST("/admin/api-keys", { body, params: { header } });
    return await bodyOf(response).catch((failure) => {
      const id = failure instanceof ApiError ? failure.keyId : null;
      if (id !== null || isUncertain(failure)) setLost({ name: body.name, id });
      throw failure;
    });
  };
  return { lost, create };
}

interface CreateKeyFormProps {
  replaced: ApiKey | undefined;
  onCreated: (secret: UnstoredSecret) => void;
}

function CreateKeyForm({ replaced, onCreated }: CreateKeyFormProps) {
  const { showKey } = useAdmin();
  const { lost, create } = useCreation();
  const readOnly: Scope[] = ["read"];
  const again = lost?.id ? "Revoke it and create another" : undefined;
  return (
    <WriteForm
      initial={{ name: replaced?.name ?? "", scopes: replaced?.scopes ?? readOnly }}
      validate={({ name }) => ({ name: nameProblem(name) })}
      onSend={async (body, known) => {
        const { key, ...created } = await create(body, known);
        onCreated({ name: created.name, secret: key });
        showKey(created);
      }}
      action={again ?? "Create key"}
      retry={again}
      outcome={{ done: "the key was created", failed: "The key was not created" }}
      advice="The key may exist. Try again without changing anything: that never creates a second key."
      notice={lost?.id ? (error) => <LostKeyNotice error={error} lost={lost} /> : undefined}
      pending="A key is being created, and only this page can show its secret."
      unsaved="What you entered is not saved."
      loss={lost && lossOf(lost)}
    >
      {(form) => (
        <>
          {replaced && <RotationSteps oldPrefix={replaced.prefix} />}
          <NameField
            {...form.getInputProps("name")}
            description="The system that uses the key, so that everyone knows what stops if it is revoked."
            placeholder="Website, accounting, newsletter …"
          />
          <ScopeChoice {...form.getInputProps("scopes")} />
        </>
      )}
    </WriteForm>
  );
}

function RotationSteps({ oldPrefix }: { oldPrefix: string }) {
  return (
    <Text component="ol" size="sm" m={0} pl="lg">
      <li>Create the new key here.</li>
      <li>
        Switch the integration to it. The old key, <code>{oldPrefix}</code>, keeps working.
      </li>
      <li>When nothing uses the old key any more, revoke it.</li>
    </Text>
  );
}

interface NameFieldProps extends GetInputPropsReturnType {
  description: string;
  placeholder?: string;
  /** The key that may keep its name. */
  except?: string;
}

/** Warns if another active key has the name. */
export function NameField({ value, description, except, ...input }: NameFieldProps) {
  const { data: keys = [] } = useApiKeys();
  const others = keys.filter(({ id }) => id !== except);
  const hasNamesake = namesakesIn([...others, { id: "", name: value, status: "active" }]).has("");
  return (
    <TextInput
      data-autofocus
      label="Name"
      description={
        <>
          {description}
          <span role="status">
            {hasNamesake && " Another active key has this name. A different name makes them easier to tell apart."}
          </span>
        </>
      }
      value={value}
      autoComplete="off"
      required
      {...input}
    />
  );
}

function lossOf({ name, id }: LostKey): Loss {
  const text =
    id === null
      ? `The key “${name}” may exist, although its secret was not shown. If it is in the list, revoke it.`
      : `The key “${name}” exists, and nobody has its secret. Revoke it in the list.`;
  return { locked: false, text };
}

function LostKeyNotice({ error, lost: { name, id } }: { error: Error; lost: LostKey }) {
  if (!(error instanceof ApiError) || error.keyId !== id) {
    const advice = `“${name}” may still be active. Try again: revoking it twice does no harm.`;
    return <ErrorNotice title="The lost key was not replaced" error={error} advice={advice} />;
  }
  return (
    <Alert color="red" role="alert" title="The key was created, but its secret did not arrive">
      The secret of “{name}” cannot be shown again. Revoke this key and create another: one button does both.
    </Alert>
  );
}

function ScopeChoice(input: GetInputPropsReturnType) {
  return (
    <Checkbox.Group label="Scopes" description="What the key may do. Give it no more than it needs." {...input}>
      <Stack gap="sm" mt="xs">
        {scopes.map(({ scope, title, allows }) => (
          <Checkbox
            key={scope}
            value={scope}
            label={
              <>
                {title} <code>{scope}</code>
              </>
            }
            description={allows}
            disabled={scope === "read"}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

/** The reason why the dialog with a secret stays open. */
export function unstored(name: string): string {
  return `You have not stored the secret of “${name}” yet, and it cannot be shown again. Tick “I have stored it”, then press Done.`;
}

/** Shows a key's secret on demand, until the person has stored it. */
export function SecretOnce({ name, secret, onStored }: UnstoredSecret & { onStored: () => void }) {
  return (
    <SecretShown
      title="Store this key now"
      advice="It cannot be shown again. If you lose it, rotate the key. Put it where the integration reads its secrets, such as a secret manager. Never put it into a chat, an email or a repository."
      unstored={unstored(name)}
      onStored={onStored}
    >
      <CopyField label="Secret key" copyLabel="Copy key" value={secret} secret={secret} rows={2} autoFocus />
      <CopyField
        label="A first request"
        copyLabel="Copy command"
        description="Returns the key's name, prefix, scopes and organisation."
        value={`curl -H "Authorization: Bearer ${secret}" ${location.origin}/v1/key`}
        secret={secret}
        rows={4}
      />
    </SecretShown>
  );
}
