import * as z from "zod";
import { idOption } from "../shared/command.ts";
import { targetOptions } from "../shared/target.ts";

/** Options of the commands that work on a whole organisation. */
export const organisationOptions = { ...targetOptions, organisation: idOption("--organisation") };

/** Who requested the run, for the audit. */
export const Actor = z
  .string("--actor is missing.")
  .trim()
  .regex(/^[^\p{Cc}\p{Cs}]{1,100}$/u, "--actor must be a name of 1 to 100 characters.");
