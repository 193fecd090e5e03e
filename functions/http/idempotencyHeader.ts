import * as z from "zod";

const maximumLength = 255;

/** The header by which a request is known again. */
export const IdempotencyHeader = z.object({
  "idempotency-key": z
    .string()
    .min(1, "Must not be empty.")
    .max(maximumLength, `Must have at most ${maximumLength} characters.`)
    .optional()
    .meta({
      description: `A text of your choice, new for every request that you mean, up to ${maximumLength} characters. The same request under it again, within 24 hours, gets the first answer, with \`Idempotency-Replayed: true\`.`,
    }),
});
