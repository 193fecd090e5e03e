import type { Adapter, AdapterPayload } from "oidc-provider";

/**
 * What the provider remembers of one model (sessions, codes, tokens …), for as long as the process lives. The provider itself refuses
 * what has expired.
 */
export function memoryAdapter(): Adapter {
  const stored = new Map<string, AdapterPayload>();
  return {
    upsert: async (id, payload) => {
      stored.set(id, payload);
    },
    find: async (id) => stored.get(id),
    findByUid: async (uid) => [...stored.values()].find((payload) => payload.uid === uid),
    // Only devices without a browser have user codes, and they cannot sign in here.
    findByUserCode: async () => undefined,
    consume: async (id) => {
      const payload = stored.get(id);
      if (payload) payload.consumed = Math.floor(Date.now() / 1000);
    },
    destroy: async (id) => {
      stored.delete(id);
    },
    revokeByGrantId: async (grantId) => {
      for (const [id, payload] of stored) if (payload.grantId === grantId) stored.delete(id);
    },
  };
}
