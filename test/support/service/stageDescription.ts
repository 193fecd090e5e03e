import * as z from "zod";
import { ServiceDescription } from "../../../local/localService.ts";

const { organisations, issuer, people } = ServiceDescription.shape;

/** A person of a deployed stage, whose sign-in page no program can use, with an ID token that is valid for 15 minutes. */
export const TokenHolder = people.element.pick({ organisation_id: true, role: true }).extend({ id_token: z.string() });
export type TokenHolder = z.infer<typeof TokenHolder>;

/** A service that the tests did not start, as `.local/service.json` describes it. */
export const StageDescription = z.union([
  z.object({ organisations, people: z.array(TokenHolder) }),
  z.object({ organisations, people, issuer }),
]);
