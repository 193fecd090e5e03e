/** A failure that the one who started the program can mend; shown without a stack. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
