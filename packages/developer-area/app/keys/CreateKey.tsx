import { Alert, Checkbox, Stack, Text, TextInput } from "@mantine/core";
import type { GetInputPropsReturnType } from "@mantine/form";
import { useRef, useState } from "react";
import { ApiError, bodyOf, isUncertain } from "../api/adminApi.ts";
import { useApiKeys } from "../api/queries.ts";
import type { ApiKey, ApiKeyInput, Scope } from "../api/types.ts";
import { SendSecret } from "../handOver/SendSecret.tsx";
import { SecretFields } from "../parts/CopyField.tsx";
import { SecretShown, WhenField } from "../parts/Forms.tsx";
import { ErrorNotice } from "../parts/Notices.tsx";
import { useIdempotencyKey, WriteForm } from "../parts/WriteForm.tsx";
import { choose } from "../parts/when.ts";
import { type Loss, useAdmin } from "../session/admin.ts";
import type { UnstoredSecret } from "../session/sessionState.ts";
import { lifetimes, nameProblem, namesakesIn, revocationTimeOf, scopes, successorName, titlesOf } from "./keyRules.ts";

interface CreateKeyProps {
  /** The key to replace: the new key gets its scopes and a similar name. */
  predecessor?: ApiKey;
  onStored: () => void;
}

/**
 * The form, then the secret of the created key. The secret is only in this component's state and, in case the session ends, in the
 * session's; both forget it once it is stored. The query cache and the list of keys never contain it.
 */
export function CreateKey({ predecessor, onStored }: CreateKeyProps) {
  const { announce, keepSecret } = useAdmin();
  const [created, setCreated] = useState<UnstoredSecret | null>(null);
  const show = (secret: UnstoredSecret) => {
    keepSecret(secret);
    setCreated(secret);
  };
  if (created === null) return <CreateKeyForm predecessor={predecessor} onCreated={show} />;
  const finish = () => {
    keepSecret(null);
    announce(`Key “${created.name}” is created and active.`);
    onStored();
  };
  return <SecretOnce {...created} onStored={finish} />;
}

/** A key whose secret was not shown, because the response was lost. */
interface LostKey {
  name: string;
  /** Null if it is not known whether the key exists. */
  id: string | null;
}

/** Creates keys. If one was created whose secret is lost, it is revoked before another is created. */
function useCreation() {
  const { api, showKey } = useAdmin();
  const [lost, setLost] = useState<LostKey | null>(null);
  const replaced = useRef(0);
  const idempotencyKey = useIdempotencyKey();
  const create = async (body: ApiKeyInput, known: () => void) => {
    if (lost?.id) {
      showKey(await bodyOf(api.POST("/admin/api-keys/{id}/revoke", { params: { path: { id: lost.id } } })));
      setLost(null);
      known();
      replaced.current += 1;
    }
    const header = { "Idempotency-Key": idempotencyKey([body, replaced.current]) };
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
  predecessor: ApiKey | undefined;
  onCreated: (secret: UnstoredSecret) => void;
}

function CreateKeyForm({ predecessor, onCreated }: CreateKeyFormProps) {
  const { person, showKey } = useAdmin();
  const { lost, create } = useCreation();
  const readOnly: Scope[] = ["read"];
  const again = lost?.id ? "Revoke it and create another" : undefined;
  return (
    <WriteForm
      initial={{
        name: predecessor ? successorName(predecessor.name) : "",
        scopes: predecessor?.scopes ?? readOnly,
        revokes_at: choose("never"),
      }}
      validate={({ name, revokes_at }) => ({
        name: nameProblem(name)?.text,
        revokes_at: revocationTimeOf(revokes_at).problem,
      })}
      onSend={async ({ name: wanted, scopes, revokes_at }, known) => {
        const { time } = revocationTimeOf(revokes_at);
        const replaces = predecessor && { replaces: predecessor.id };
        const body = { name: wanted, scopes, ...(time && { revokes_at: time }), ...replaces };
        const { key, ...created } = await create(body, known);
        const about = { name: created.name, scopes: created.scopes, revokes_at: created.revokes_at };
        const content = { ...about, kind: "key", secret: key, organisation: person.organisation } as const;
        onCreated({ ...content, usedBy: predecessor?.name ?? created.name });
        showKey(created);
      }}
      action={again ?? "Create key"}
      retry={again}
      what="the key was created"
      advice="The key may exist. Try again without changes: that never makes a second key."
      notice={lost?.id ? (error) => <LostKeyNotice error={error} lost={lost} /> : undefined}
      pending="A key is being created, and only this page can show its secret."
      unsaved="What you entered is not saved."
      loss={lost && lossOf(lost)}
    >
      {(form) => (
        <>
          <NameField
            {...form.getInputProps("name")}
            description="What uses the key, so that everyone knows what revoking it would stop."
            placeholder="Website, accounting, newsletter …"
          />
          {predecessor ? (
            <Text size="sm">It may do what the old key may: {titlesOf(predecessor.scopes)}.</Text>
          ) : (
            <ScopeChoice {...form.getInputProps("scopes")} />
          )}
          <WhenField label="For how long?" choices={lifetimes} {...form.getInputProps("revokes_at")} />
        </>
      )}
    </WriteForm>
  );
}

interface NameFieldProps extends GetInputPropsReturnType {
  description: string;
  placeholder?: string;
  /** The id of the key that has the name. */
  except?: string;
}

/** The field for a key's name. It refuses at once what the person cannot correct by typing on, and warns of a name that is taken. */
export function NameField({ value, error, description, except, ...input }: NameFieldProps) {
  const { data: keys = [] } = useApiKeys();
  const problem = nameProblem(value);
  const others = keys.filter(({ id }) => id !== except);
  const isTaken = namesakesIn([...others, { id: "", name: value, status: "active" }]).has("");
  return (
    <TextInput
      data-autofocus
      label="Name"
      description={
        <>
          {description}
          <span role="status">
            {isTaken && " An active key has this name already; another would be hard to tell apart."}
          </span>
        </>
      }
      value={value}
      error={error ?? (problem?.atOnce ? problem.text : null)}
      autoComplete="off"
      required
      {...input}
    />
  );
}

/** What closing the form would lose. */
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
    <Alert color="red" role="alert" title="The key was created, but its secret was lost on the way">
      The key “{name}” exists, but the response with its secret did not arrive, and the secret cannot be shown again.
      Revoke this key and create another: one button does both.
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

/** Why the dialog with a secret stays open. */
export function unstored(name: string): string {
  return `The secret of “${name}” is not stored yet, and cannot be shown again. Tick “I have stored it”, then press Done.`;
}

/** Shows a key's secret on demand, until the person has stored it. */
export function SecretOnce({ usedBy, onStored, ...content }: UnstoredSecret & { onStored: () => void }) {
  const { name, kind, secret } = content;
  const advice = `It cannot be shown again: if you lose it, rotate the key. Put it where “${usedBy}” reads its secrets, such as a secret manager. Never put it into a chat, an email or a repository; “Send to a developer” encrypts it.`;
  return (
    <SecretShown title="Store this key now" advice={advice} unstored={unstored(name)} onStored={onStored}>
      <SecretFields kind={kind} secret={secret} />
      <SendSecret content={content} />
    </SecretShown>
  );
}
