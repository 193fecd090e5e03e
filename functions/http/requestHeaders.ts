import * as z from "zod";
import { text } from "../resources/text.ts";

const maximumKeyLength = 255;

/** The header that identifies a retry of the same request. */
export const IdempotencyHeader = z.object({
  "idempotency-key": text(1, maximumKeyLength)
    .optional()
    .meta({
      description: `A unique text of your choice for each new request, up to ${maximumKeyLength} characters. A retry with the same key within 24 hours gets the first response, with \`Idempotency-Replayed: true\`.`,
    }),
});

/** The header that makes an update conditional on the state that the client read. */
export const IfMatchHeader = z.object({
  "if-match": z.string().optional().meta({
    description:
      "The `ETag` of the resource as you read it. If the resource has changed since, the response is 412 and nothing changes.",
  }),
});
