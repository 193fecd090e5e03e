import * as z from "zod";
import { Id } from "../../functions/resources/resourceId.ts";

/** What the commands are told that work on a whole organisation, by their options' names. */
export const organisationOptions = {
  organisation: z
    .string("Name --organisation ID.")
    .regex(/^[1-9]\d{0,15}$/, "--organisation takes an id.")
    .transform(Number)
    .pipe(Id),
  endpoint: z.string().optional(),
  table: z.string().optional(),
};

/** Who asks for it, as the audit is to tell. */
export const Actor = z
  .string("Say who you are with --actor NAME.")
  .trim()
  .regex(/^[^\p{Cc}\p{Cs}]{1,100}$/u, "--actor takes a name of 1 to 100 characters.");
