import { useApiKeys } from "../api/useApiKeys.ts";

/** Everyone who created or revoked a key, also in entries that are not loaded yet. */
export function usePeople(loaded: string[] = []): string[] {
  const { data: keys = [] } = useApiKeys();
  const people = new Set(loaded);
  for (const { created_by, revoked_by } of keys) {
    people.add(created_by);
    if (revoked_by !== null) people.add(revoked_by);
  }
  return [...people].sort();
}
