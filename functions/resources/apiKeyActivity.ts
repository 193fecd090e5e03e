import * as z from "zod";
import { ServiceTime } from "./instant.ts";

export const ApiKeyActivity = z
  .object({
    id: z.string().meta({ description: "Entry id." }),
    action: z.enum(["created", "revoked"]).meta({ description: "The action." }),
    time: ServiceTime.meta({ description: "When it happened." }),
    actor: z.string().meta({ description: "Name of the person at the time: the e-mail address, if known." }),
    actor_id: z.string().meta({ description: "The identity provider's id of the person, which never changes." }),
    key_id: z.string().meta({ description: "Id of the key." }),
    key_name: z.string().meta({ description: "Name of the key." }),
    key_prefix: z.string().meta({ description: "First 12 characters of the key." }),
  })
  .meta({
    id: "ApiKeyActivity",
    description: "An entry of the audit trail of API keys. Entries never change.",
    examples: [
      {
        id: "0mi7c1q2k9be07d3150fa",
        action: "created",
        time: "2026-02-03T09:12:45.120Z",
        actor: "ada@riverside.example",
        actor_id: "0c1f6d0e-5c86-4a8e-9a6b-2f3f0f6f1f11",
        key_id: "0mi7c1q2k5f0c2a9d1e4b",
        key_name: "Nightly sync",
        key_prefix: "tsk_4fQ9wLxT",
      },
    ],
  });
export type ApiKeyActivity = z.infer<typeof ApiKeyActivity>;
