import * as z from "zod";

/** The header by which a change is made only to what its sender has seen. */
export const IfMatchHeader = z.object({
  "if-match": z.string().optional().meta({
    description: "The `ETag` of the state that you change: where there is another by now, 412 and no change.",
  }),
});
