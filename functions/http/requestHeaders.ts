import * as z from "zod";

const maximumKeyLength = 255;

/** The header that identifies a retry of the same request. */
export const IdempotencyHeader = z.object({
  "idempotency-key": z
    .string()
    .min(1, "Must not be empty.")
    .max(maximumKeyLength, `Must have at most ${maximumKeyLength} characters.`)
    .optional()
    .meta({
      description: `A text of your choice, different for every request that you mean to send, up to ${maximumKeyLength} characters. A retry with the same key within 24 hours gets the first response, with \`Idempotency-Replayed: true\`.`,
    }),
});

/** The header that makes a change conditional on the state that its sender has seen. */
export const IfMatchHeader = z.object({
  "if-match": z.string().optional().meta({
    description:
      "The `ETag` of the state that you are changing. If it has changed since, the response is 412 and nothing changes.",
  }),
});
