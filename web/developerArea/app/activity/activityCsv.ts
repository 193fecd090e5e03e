import type { ApiKeyActivity } from "../api/apiKeyActivity.ts";

const columns = ["time", "action", "actor", "key_id", "key_name", "key_prefix"] as const;

/** The entries as CSV (RFC 4180). */
export function activityCsv(entries: ApiKeyActivity[]): string {
  const rows = entries.map((entry) => columns.map((column) => cell(entry[column])).join(","));
  return [columns.join(","), ...rows, ""].join("\r\n");
}

function cell(text: string): string {
  // Spreadsheets would run these as formulas.
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
