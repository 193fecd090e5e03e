import * as z from "zod";
import { redact } from "../log/redact.ts";
import { Scope } from "./scope.ts";

const instant = z.iso.datetime();

const fields = z.object({
  id: z.string().meta({ description: "Id of the key, by which it is revoked." }),
  name: z.string().meta({ description: "Label chosen at creation." }),
  prefix: z.string().meta({ description: "First 12 characters of the key, to tell keys apart." }),
  scopes: z.array(Scope).meta({ description: "Scopes granted at creation. They never change." }),
  created: instant.meta({ description: "When the key was created." }),
  last_used: instant.nullable().meta({ description: "When it was last used, to within 60 seconds; null before." }),
  status: z.enum(["active", "revoked"]).meta({ description: "`revoked` is for ever." }),
  created_by: z.string().meta({ description: "Who created it." }),
  revoked: instant.nullable().meta({ description: "When it was revoked; null while it is active." }),
  revoked_by: z.string().nullable().meta({ description: "Who revoked it; null while it is active." }),
});

const example: z.infer<typeof fields> = {
  id: "0mi7c1q2k5f0c2a9d1e4b",
  name: "Nightly sync",
  prefix: "tsk_4fQ9wLxT",
  scopes: ["read", "write:orders"],
  created: "2026-02-03T09:12:45.120Z",
  last_used: "2026-02-05T02:00:03.511Z",
  status: "active",
  created_by: "ada@riverside.example",
  revoked: null,
  revoked_by: null,
};

/** An API key as its organisation's super-admins see it: never the secret, nor its hash. */
export const ApiKey = fields.meta({
  id: "ApiKey",
  description: "An API key of the organisation.",
  examples: [example],
});
export type ApiKey = z.infer<typeof ApiKey>;

/** A key that was just made, with its secret. */
export const CreatedApiKey = ApiKey.extend({
  key: z.string().meta({ description: "The whole secret. It is shown in this answer and never again." }),
}).meta({
  id: "CreatedApiKey",
  description: "The new API key, with its secret.",
  examples: [{ ...example, last_used: null, key: "tsk_4fQ9wLxT…" }],
});

const maximumNameLength = 100;

/** What a super-admin chooses of a new key. */
export const NewApiKey = z
  .strictObject({
    name: z
      .string("Must be a text.")
      .trim()
      .min(1, "Must not be empty.")
      .max(maximumNameLength, {
        error: `Must have at most ${maximumNameLength} characters.`,
        abort: true,
      })
      .regex(/^[^\p{Cc}\p{Cs}\p{Bidi_Control}]*$/u, "Must not hold control characters.")
      .refine((name) => redact(name) === name, "Must not hold a key or a token.")
      .meta({ description: "A label by which people know what uses the key." }),
    scopes: z
      .array(Scope, "Must be a list of scopes.")
      .refine((scopes) => new Set(scopes).size === scopes.length, "Must name each scope once.")
      .meta({ description: "What the key may do. `read` is always added." }),
  })
  .meta({
    id: "NewApiKey",
    description: "What is chosen of a new API key.",
    examples: [{ name: "Nightly sync", scopes: ["write:orders"] }],
  });
