import * as z from "zod";

/** One thing that was done to an API key: an entry of the audit trail. */
export const ApiKeyActivity = z
  .object({
    id: z.string().meta({ description: "Id of the entry." }),
    action: z.enum(["created", "revoked"]).meta({ description: "What was done." }),
    time: z.iso.datetime().meta({ description: "When it was done." }),
    actor: z.string().meta({ description: "Who did it, as known at the time." }),
    actor_id: z
      .string()
      .meta({ description: "Who did it: the identity provider's id of the person, which never changes." }),
    key_id: z.string().meta({ description: "Id of the key." }),
    key_name: z.string().meta({ description: "Name of the key." }),
    key_prefix: z.string().meta({ description: "First 12 characters of the key." }),
  })
  .meta({
    id: "ApiKeyActivity",
    description: "An entry of the audit trail of API keys. Entries are added and never changed.",
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
