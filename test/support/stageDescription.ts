import * as z from "zod";
import { ServiceDescription } from "../../local/serviceDescription.ts";

const { organisations, issuer, people } = ServiceDescription.shape;

/** Somebody of a deployed stage, whose sign-in page no program gets past: with an ID token, good for 15 minutes. */
export const TokenHolder = people.element.pick({ organisation_id: true, role: true }).extend({ id_token: z.string() });
export type TokenHolder = z.infer<typeof TokenHolder>;

/** What the journeys must know of a service that they did not start: `.local/service.json` tells it, and more. */
export const StageDescription = z.union([
  z.object({ organisations, people: z.array(TokenHolder) }),
  z.object({ organisations, people, issuer }),
]);
