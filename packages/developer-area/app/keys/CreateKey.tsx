import { Alert, Checkbox, Stack, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ApiError, fieldError } from "../api/adminApi.ts";
import { isUncertain, showApiKey, useSending } from "../api/queries.ts";
import { ApiKey } from "../api/schemas.ts";
import { SendKey } from "../handOver/SendKey.tsx";
import { CopyField } from "../parts/CopyField.tsx";
import { ActionForm, StoredConfirmation } from "../parts/Forms.tsx";
import { ErrorNotice } from "../parts/Notices.tsx";
import { type Loss, useAdmin, useLoss } from "../session/admin.ts";
import type { UnstoredSecret } from "../session/sessionState.ts";
import { nameProblem, scopes, scopesOf, successorName } from "./keyRules.ts";
import { choose, lifetimes, timeOf, WhenField } from "./PlannedRevocation.tsx";

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
  const { api, announce, keepSecret } = useAdmin();
  const client = useQueryClient();
  const [created, setCreated] = useState<UnstoredSecret | null>(null);
  const [lost, setLost] = useState<LostKey | null>(null);
  const attempt = useRef({ body: "", id: "" });

  const create = async (key: NewKey) => {
    const body = JSON.stringify({ ...key, ...(predecessor && { replaces: predecessor.id }) });
    if (lost?.id) {
      showApiKey(client, await api.revokeKey(lost.id));
      setLost(null);
      attempt.current.body = "";
    }
    if (attempt.current.body !== body) attempt.current = { body, id: crypto.randomUUID() };
    const response = await api.createKey(body, attempt.current.id).catch((failure) => {
      const id = failure instanceof ApiError ? failure.keyId : null;
      if (id !== null || isUncertain(failure)) setLost({ name: key.name, id });
      throw failure;
    });
    const { name, key: secret } = response;
    const shown = { name, usedBy: predecessor?.name ?? name, secret };
    keepSecret(shown);
    setCreated(shown);
    showApiKey(client, ApiKey.parse(response));
  };
  if (created === null) return <CreateKeyForm predecessor={predecessor} lost={lost} onCreate={create} />;
  const finish = () => {
    keepSecret(null);
    announce(`Key “${created.name}” is created and active.`);
    onStored();
  };
  return <SecretOnce {...created} onStored={finish} />;
}

interface NewKey {
  name: string;
  scopes: string[];
  revokes_at?: string;
}

/** A key whose secret was not shown, because the response was lost. */
interface LostKey {
  name: string;
  /** Null if it is not known whether the key exists. */
  id: string | null;
}

interface CreateKeyFormProps {
  predecessor?: ApiKey;
  /** What an earlier request may have left. */
  lost: LostKey | null;
  onCreate: (key: NewKey) => Promise<void>;
}

/** The form for a key's name and scopes. The API's field errors are shown at their fields. */
function CreateKeyForm({ predecessor, lost, onCreate }: CreateKeyFormProps) {
  const initial = predecessor ? successorName(predecessor.name) : "";
  const [name, setName] = useState(initial);
  const [chosen, setChosen] = useState(predecessor?.scopes ?? ["read"]);
  const [when, setWhen] = useState(choose("never"));
  const [submitted, setSubmitted] = useState<string | null>(null);
  const { busy, error, send } = useSending(onCreate);
  const nameField = useRef<HTMLInputElement>(null);
  const isChanged = name !== initial || chosen.length !== (predecessor?.scopes.length ?? 1) || when.choice !== "never";
  useLoss(lossOf(busy, lost, isChanged));

  const problem = nameProblem(name);
  const refusal = name === submitted ? fieldError(error, "/name") : null;
  const nameError = problem && (problem.atOnce || submitted !== null) ? problem.text : refusal;
  const scopeError = fieldError(error, "/scopes");
  const timeError = fieldError(error, "/revokes_at") ?? (submitted === null ? null : (timeOf(when).problem ?? null));
  useEffect(() => {
    if (refusal) nameField.current?.focus();
  }, [refusal]);

  const submit = () => {
    setSubmitted(name);
    const { time, problem: timeProblem } = timeOf(when);
    if (problem) nameField.current?.focus();
    else if (!timeProblem) void send({ name, scopes: chosen, ...(time && { revokes_at: time }) });
  };
  return (
    <ActionForm action={actionAfter(lost)} busy={busy} onSubmit={submit}>
      <TextInput
        ref={nameField}
        data-autofocus
        label="Name"
        description="What uses the key, so that everyone knows what revoking it would stop."
        placeholder="Website, accounting, newsletter …"
        value={name}
        error={nameError}
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="off"
        required
      />
      {predecessor ? (
        <Text size="sm">
          It may do what the old key may:{" "}
          {scopesOf(predecessor.scopes)
            .map(({ title }) => title.toLowerCase())
            .join(", ")}
          .
        </Text>
      ) : (
        <ScopeChoice chosen={chosen} onChoose={setChosen} error={scopeError} />
      )}
      <WhenField label="For how long?" choices={lifetimes} when={when} onChange={setWhen} error={timeError} />
      {error && !fieldError(error, "/name") && !scopeError && !fieldError(error, "/revokes_at") && (
        <Failure error={error} lost={lost} />
      )}
    </ActionForm>
  );
}

/** What closing the form would lose. */
function lossOf(busy: boolean, lost: LostKey | null, isChanged: boolean): Loss | null {
  if (busy) return { locked: true, text: "A key is being created, and only this page can show its secret." };
  if (lost?.id) {
    return { locked: false, text: `The key “${lost.name}” exists, and nobody has its secret. Revoke it in the list.` };
  }
  if (lost !== null) {
    const text = `The key “${lost.name}” may exist, although its secret was not shown. If it is in the list, revoke it.`;
    return { locked: false, text };
  }
  return isChanged ? { locked: false, text: "What you entered is not saved." } : null;
}

function actionAfter(lost: LostKey | null): string {
  if (lost === null) return "Create key";
  return lost.id === null ? "Try again" : "Revoke it and create another";
}

function Failure({ error, lost }: { error: Error; lost: LostKey | null }) {
  if (lost === null) return <ErrorNotice title="The key was not created" error={error} />;
  if (lost.id === null) {
    const advice = "The key may exist. Try again without changes: that never makes a second key.";
    return <ErrorNotice title="It is not known whether the key was created" error={error} advice={advice} />;
  }
  if (!(error instanceof ApiError) || error.keyId !== lost.id) {
    const advice = `“${lost.name}” may still be active. Try again: revoking it twice does no harm.`;
    return <ErrorNotice title="The lost key was not replaced" error={error} advice={advice} />;
  }
  return (
    <Alert color="red" role="alert" title="The key was created, but its secret was lost on the way">
      The key “{lost.name}” exists, but the response with its secret did not arrive, and the secret cannot be shown
      again. Revoke this key and create another: one button does both.
    </Alert>
  );
}

interface ScopeChoiceProps {
  chosen: string[];
  onChoose: (scopes: string[]) => void;
  error: string | null;
}

function ScopeChoice({ chosen, onChoose, error }: ScopeChoiceProps) {
  return (
    <Checkbox.Group
      label="Scopes"
      description="What the key may do. Give it no more than it needs."
      {...{ error }}
      value={chosen}
      onChange={onChoose}
    >
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

interface SecretOnceProps extends UnstoredSecret {
  onStored: () => void;
}

/** Why the dialog with a secret stays open. */
export function unstored(name: string): string {
  return `The secret of “${name}” is not stored yet, and cannot be shown again. Tick “I have stored it”, then press Done.`;
}

/** Shows a key's secret on demand, until the person has stored it; it cannot be shown again. */
export function SecretOnce({ name, usedBy, secret, onStored }: SecretOnceProps) {
  useLoss({ locked: true, text: unstored(name) });
  return (
    <Stack>
      <Alert color="yellow" title="Store this key now">
        It cannot be shown again: if you lose it, create a new key. Put it where “{usedBy}” reads its secrets, such as a
        secret manager. Never put it into a chat, an email or a repository; “Send to a developer” encrypts it.
      </Alert>
      <CopyField label="Secret key" copyLabel="Copy key" value={secret} secret={secret} rows={2} autoFocus />
      <CopyField
        label="A first request"
        copyLabel="Copy command"
        description="Returns the key's name, prefix, scopes and organisation."
        value={`curl -H "Authorization: Bearer ${secret}" ${location.origin}/v1/key`}
        secret={secret}
        rows={4}
      />
      <SendKey name={name} secret={secret} />
      <StoredConfirmation onStored={onStored} />
    </Stack>
  );
}
