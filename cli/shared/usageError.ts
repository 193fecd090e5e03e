/** A failure that the user of a command can fix; printed without a stack trace. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
