import type { UsageDay } from "../../api/keyUsage.ts";

/** The sums of several days. */
export function usageTotals(days: UsageDay[]): Omit<UsageDay, "date"> {
  const sum = (field: "requests" | "client_errors" | "server_errors") =>
    days.reduce((total, day) => total + day[field], 0);
  return {
    requests: sum("requests"),
    client_errors: sum("client_errors"),
    server_errors: sum("server_errors"),
  };
}

/** The requests of a day that succeeded. */
export function successes({ requests, client_errors, server_errors }: UsageDay): number {
  return requests - client_errors - server_errors;
}
