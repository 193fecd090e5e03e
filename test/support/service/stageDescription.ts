import * as z from "zod";
import { ServiceDescription } from "../../../local/localService.ts";

const { organisations, people } = ServiceDescription.shape;

/** A person with an ID token, because no program can use a deployed stage's sign-in page. It is valid for 15 minutes there. */
export const TokenHolder = people.element.pick({ organisation_id: true, role: true }).extend({ id_token: z.string() });
export type TokenHolder = z.infer<typeof TokenHolder>;

/** The people and the keys of a service that the tests did not start. */
export const StageDescription = z.object({ organisations, people: z.array(TokenHolder) });

/** The service that all files of a run call. The set-up passes it on in the variable TESTED_SERVICE. */
export const TestedService = StageDescription.extend({
  base_url: z.string(),
  /** The time at which the set-up had stored its data. */
  prepared: z.iso.datetime(),
  /** If the set-up started the service. */
  local: z.object({ directory: z.string(), description: ServiceDescription }).optional(),
});
export type TestedService = z.infer<typeof TestedService>;
