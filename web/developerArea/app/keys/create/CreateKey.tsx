import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ApiKey, type CreatedApiKey } from "../../api/apiKey.ts";
import { showApiKey } from "../../api/useApiKeys.ts";
import { useAdmin } from "../../session/admin.ts";
import { CreateKeyForm, type NewKey } from "./CreateKeyForm.tsx";
import { SecretOnce } from "./SecretOnce.tsx";

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
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const attempt = useRef({ body: "", id: "" });

  const create = async (key: NewKey) => {
    const body = JSON.stringify({ ...key, ...(predecessor && { replaces: predecessor.id }) });
    if (attempt.current.body !== body) attempt.current = { body, id: crypto.randomUUID() };
    try {
      const response = await api.createKey(body, attempt.current.id);
      keepSecret({ name: response.name, secret: response.key });
      setCreated(response);
      showApiKey(client, ApiKey.parse(response));
    } catch (error) {
      void client.invalidateQueries();
      throw error;
    }
  };
  if (created === null) return <CreateKeyForm predecessor={predecessor} onCreate={create} />;
  const { key, name } = created;
  const finish = () => {
    keepSecret(null);
    announce(`Key “${name}” is created and active.`);
    onStored();
  };
  return <SecretOnce name={name} secret={key} onStored={finish} />;
}
