import * as z from "zod";

/** The stages of the service, each a stack of its own. `dev` may be thrown away; what the others hold outlives their stack. */
export const Stage = z.enum(["dev", "staging", "prod"]);
export type Stage = z.infer<typeof Stage>;
