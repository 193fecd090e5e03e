/* The delivery of objects in the import bucket to the function that splits them: an EventBridge rule, then the import queue. */

/** Objects with this prefix and one of these suffixes are imported. The rule has the same filter. */
export const importPrefix = "imports/";
export const importSuffixes = [".ndjson", ".ndjson.gz"] as const;
export const reportPrefix = "reports/";

/** One object at a time, because each may take the function's whole time. */
export const batchSize = 1;

/**
 * Lambda's limit. Longer imports continue with a new message, which has tries of its own. The function then invokes itself, so it must be
 * exempt from Lambda's detection of recursive loops, which stops them after about 16 rounds.
 */
export const consumerTimeoutMs = 15 * 60_000;

/**
 * Twice the function's timeout leaves time for Lambda to start late. With the six times that Lambda recommends, a failed import would wait for
 * an hour and a half. Starting an import twice does no harm.
 */
export const visibilityTimeoutMs = 2 * consumerTimeoutMs;

/** After this number of tries, SQS moves a message to the dead-letter queue. */
export const maximumTries = 5;

export function isImport(key: string): boolean {
  return key.startsWith(importPrefix) && importSuffixes.some((suffix) => key.endsWith(suffix));
}

/** The report's key: `imports/2026/a.ndjson.gz` has `reports/2026/a.ndjson.gz.json`. */
export function reportKeyOf(key: string): string {
  return `${reportPrefix}${key.slice(importPrefix.length)}.json`;
}
