import * as z from "zod";

/** A text that a client writes, of at least one character. */
export function text(maximumLength: number) {
  return z
    .string("Must be a text.")
    .min(1, "Must not be empty.")
    .max(maximumLength, { error: `Must have at most ${maximumLength} characters.`, abort: true })
    .refine((value) => value.isWellFormed(), "Must be valid Unicode.");
}
