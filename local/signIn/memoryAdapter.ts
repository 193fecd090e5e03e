import type { Adapter, AdapterPayload } from "oidc-provider";

/**
 * Stores one of the provider's models (sessions, codes, tokens …) in memory. The provider itself rejects expired entries.
 */
export function memoryAdapter(): Adapter {
  const stored = new Map<string, AdapterPayload>();
  return {
    upsert: async (id, payload) => {
      stored.set(id, payload);
    },
    find: async (id) => stored.get(id),
    findByUid: async (uid) => [...stored.values()].find((payload) => payload.uid === uid),
    // User codes are for devices without a browser, which cannot sign in here.
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
