/** The objects of the backup bucket, one for each day. */
export const peoplePrefix = "people/";

/** Cognito returns 60 people in each response, so thousands take less than a minute. */
export const backupTimeoutMs = 5 * 60_000;

export function peopleKeyOf(date: string): string {
  return `${peoplePrefix}${date}.ndjson`;
}
