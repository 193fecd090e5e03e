import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ApiKey, type CreatedApiKey } from "../../api/apiKey.ts";
import { lookAgain, showApiKey } from "../../api/useApiKeys.ts";
import { useAdmin } from "../../session/admin.ts";
import { CreateKeyForm, type NewKey } from "./CreateKeyForm.tsx";
import { SecretOnce } from "./SecretOnce.tsx";
import { useLeaveWarning } from "./useLeaveWarning.ts";

interface CreateKeyProps {
  /** The key that the new one is to replace: the same scopes, a similar name. */
  predecessor?: ApiKey;
  /** Told when closing would lose a secret: from the moment the request is sent. */
  onLock: (locked: boolean) => void;
  onStored: (key: ApiKey) => void;
}

/**
 * A form, then the secret that it gave. The secret is in this component's state alone, and so goes with it: not into the query
 * cache, which would keep it, and not into the list of keys.
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
      const answer = await api.createKey(key);
      setCreated(answer);
      showApiKey(client, ApiKey.parse(answer));
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
