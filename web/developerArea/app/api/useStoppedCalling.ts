import { useQuery } from "@tanstack/react-query";
import { useNow } from "../parts/useNow.ts";
import { useAdmin } from "../session/admin.ts";
import type { ApiKey } from "./apiKey.ts";
import type { UsageDay } from "./keyUsage.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** Longer silences are not reported. */
const reportedMs = 7 * dayMs;
const daysOfUse = 5;
/** Enough for the days of use before the longest silence. */
const days = 14;
const dayOfYear = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });

/** Why an active key seems to be broken: it was used every day, and has been silent for more than 24 hours. Otherwise null. */
export function useStoppedCalling({ id, status, last_used }: ApiKey): string | null {
  const { api } = useAdmin();
  const silentMs = useNow().getTime() - Date.parse(last_used ?? "");
  const silent = status === "active" && silentMs > dayMs && silentMs <= reportedMs;
  const { data } = useQuery({
    queryKey: ["api-key-usage", id, last_used],
    queryFn: () => api.getUsage(id, days),
    enabled: silent,
    // The days before the last use do not change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!silent || last_used === null || !data) return null;
  const lastDay = new Date(last_used);
  if (!usedDaily(data.days, lastDay.toISOString().slice(0, "YYYY-MM-DD".length))) return null;
  return `Used every day until ${dayOfYear.format(lastDay)}, silent for more than 24 hours.`;
}

function usedDaily(days: UsageDay[], lastDate: string): boolean {
  const lastDay = days.findIndex(({ date }) => date === lastDate);
  const used = days.slice(Math.max(0, lastDay + 1 - daysOfUse), lastDay + 1);
  return used.length === daysOfUse && used.every(({ requests }) => requests > 0);
}
