import * as z from "zod";

/** A non-empty text from a client. */
export function text(maximumLength: number) {
  return z
    .string("Must be a string.")
    .min(1, "Must not be empty.")
    .max(maximumLength, { error: `Must have at most ${maximumLength} characters.`, abort: true })
    .refine((value) => value.isWellFormed(), "Must be valid Unicode.");
}
