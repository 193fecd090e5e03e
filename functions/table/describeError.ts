/** An error, or its cause if it has one, in one line without a full stop. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return describeError(error.cause);
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  return [code, error.message]
    .filter((part) => part !== "")
    .join(": ")
    .replaceAll(/\s+/g, " ")
    .replace(/\.$/, "");
}
