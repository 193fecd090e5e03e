import * as z from "zod";
import { Id } from "./resourceId.ts";
import { Scope } from "./scope.ts";

/** The calling key, as an integrator sees it. */
export const CallingKey = z
  .object({
    name: z.string().meta({ description: "Label chosen at creation." }),
    prefix: z.string().meta({ description: "First 12 characters of the key, to tell keys apart." }),
    scopes: z.array(Scope).meta({ description: "Scopes granted at creation." }),
    organisation_id: Id.meta({ description: "The organisation whose data the key reads." }),
  })
  .meta({
    id: "CallingKey",
    description: "The API key that made the request. Never the secret itself.",
    examples: [{ name: "Nightly sync", prefix: "tsk_4fQ9wLxT", scopes: ["read"], organisation_id: 1842 }],
  });
export type CallingKey = z.infer<typeof CallingKey>;
