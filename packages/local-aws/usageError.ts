/** A failure that the user can fix; to be printed without a stack trace. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
