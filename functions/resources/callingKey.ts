import * as z from "zod";
import { Id } from "./resourceId.ts";
import { Scope } from "./scope.ts";

export const CallingKey = z
  .object({
    name: z.string().meta({ description: "Label chosen at creation." }),
    prefix: z.string().meta({ description: "First 12 characters of the key, to distinguish keys." }),
    scopes: z.array(Scope).meta({ description: "Scopes granted at creation." }),
    organisation_id: Id.meta({ description: "The organisation whose data the key reads." }),
  })
  .meta({
    id: "CallingKey",
    description: "The API key that made the request, without its secret.",
    examples: [{ name: "Nightly sync", prefix: "tsk_4fQ9wLxT", scopes: ["read"], organisation_id: 1842 }],
  });
export type CallingKey = z.infer<typeof CallingKey>;
