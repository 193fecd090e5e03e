import { relativeTime } from "../../parts/relativeTime.ts";

/** A key used within this time counts as in use: most integrations send requests every few minutes. */
const inUseMs = 15 * 60 * 1000;

interface Used {
  last_used: string | null;
}

/** Whether the old key of a rotation can be revoked, with the reason. */
export function usageVerdict(old: Used, successor: Used, now: Date): { safe: boolean; text: string } {
  if (old.last_used === null) return { safe: true, text: "The old key has never been used: nothing depends on it." };
  const lastUse = new Date(old.last_used);
  const ago = relativeTime(lastUse, now);
  if (now.getTime() - lastUse.getTime() <= inUseMs) {
    return { safe: false, text: `The old key was used ${ago}: something still uses it.` };
  }
  if (successor.last_used === null) {
    return { safe: false, text: `The new key has not been used yet. The old key was last used ${ago}.` };
  }
  return {
    safe: true,
    text: `The new key is in use, and the old key was last used ${ago}. If your integration sends requests more often than that, it has switched.`,
  };
}
