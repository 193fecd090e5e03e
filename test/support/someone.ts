import type { Actor } from "../../functions/data/repositories/apiKeyRepository.ts";

/** Who makes and revokes the keys of tests. */
export const someone: Actor = { name: "Someone", subject: "someone" };
