import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ApiKey, type CreatedApiKey } from "../../api/apiKey.ts";
import { lookAgain, showApiKey } from "../../api/useApiKeys.ts";
import { useAdmin } from "../../session/admin.ts";
import { CreateKeyForm, type NewKey } from "./CreateKeyForm.tsx";
import { SecretOnce } from "./SecretOnce.tsx";
import { useLeaveWarning } from "./useLeaveWarning.ts";

interface CreateKeyProps {
  /** The key to replace: the new key gets its scopes and a similar name. */
  predecessor?: ApiKey;
  /** Called with true while closing would lose a secret: from the moment the request is sent. */
  onLock: (locked: boolean) => void;
  onStored: (key: ApiKey) => void;
}

/**
 * The form, then the secret of the created key. The secret is only in this component's state, so that it is gone when the dialog
 * closes; the query cache and the list of keys never contain it.
 */
export function CreateKey({ predecessor, onLock, onStored }: CreateKeyProps) {
  const { api } = useAdmin();
  const client = useQueryClient();
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const [busy, setBusy] = useState(false);
  const locked = busy || created !== null;
  useEffect(() => onLock(locked), [onLock, locked]);
  useLeaveWarning(locked);

  const create = async (key: NewKey) => {
    setBusy(true);
    try {
      const response = await api.createKey(key);
      setCreated(response);
      showApiKey(client, ApiKey.parse(response));
    } catch (error) {
      lookAgain(client);
      throw error;
    } finally {
      setBusy(false);
    }
  };
  if (created === null) return <CreateKeyForm predecessor={predecessor} busy={busy} onCreate={create} />;
  const { key, ...apiKey } = created;
  return <SecretOnce name={apiKey.name} secret={key} onStored={() => onStored(apiKey)} />;
}
