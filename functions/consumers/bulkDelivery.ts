/*
 * How objects of the import bucket are delivered to the function that splits them: by an EventBridge rule through the queue of imports.
 */

/** The objects that are imported: below this, with one of these ends. The rule asks for the same. */
export const importPrefix = "imports/";
export const importSuffixes = [".ndjson", ".ndjson.gz"] as const;
export const reportPrefix = "reports/";

/** Objects at a time: each may take all the time that a function has. */
export const batchSize = 1;

/**
 * The most that Lambda allows. What is not done by then goes on as a new message, with tries of its own. The function so calls itself, which
 * it must be allowed to do: by itself, Lambda ends such a loop after about 16 rounds.
 */
export const consumerTimeoutMs = 15 * 60_000;

/**
 * A message that was not answered for is tried again then. Twice the function's time leaves Lambda room to begin late; the six times that
 * it asks for would leave an import that failed lying for an hour and a half. One that is begun twice does no harm.
 */
export const visibilityTimeoutMs = 2 * consumerTimeoutMs;

/** How often a message is tried before it is given up. */
export const maximumTries = 5;

export function isImport(key: string): boolean {
  return key.startsWith(importPrefix) && importSuffixes.some((suffix) => key.endsWith(suffix));
}

/** Where the report on an import is: `imports/2026/a.ndjson.gz` has `reports/2026/a.ndjson.gz.json`. */
export function reportKeyOf(key: string): string {
  return `${reportPrefix}${key.slice(importPrefix.length)}.json`;
}
