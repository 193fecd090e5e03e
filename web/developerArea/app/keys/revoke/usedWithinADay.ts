const dayMs = 24 * 60 * 60 * 1000;

export function usedWithinADay({ last_used }: { last_used: string | null }, now: Date): boolean {
  return last_used !== null && now.getTime() - Date.parse(last_used) <= dayMs;
}
