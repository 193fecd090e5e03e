import type { Actor } from "../../../functions/keys/apiKeyRepository.ts";

/** The person who creates and revokes the keys of tests. */
export const someone: Actor = { name: "Someone", subject: "someone" };
