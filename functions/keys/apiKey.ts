import * as z from "zod";
import { redact } from "../log/logger.ts";
import { hasAtMost } from "../resources/fields.ts";
import { Scope } from "../resources/scope.ts";
import { ServiceTime } from "../values/instant.ts";
import { hasInvisible, longestName, normalisedName } from "./keyName.ts";

const fields = z.object({
  id: z.string().meta({ description: "Key id, used to revoke the key." }),
  name: z.string().meta({ description: "Label, which can be changed." }),
  prefix: z.string().meta({ description: "First 12 characters of the key, to distinguish keys." }),
  scopes: z.array(Scope).meta({ description: "Scopes granted at creation. They never change." }),
  created: ServiceTime.meta({ description: "When the key was created." }),
  last_used: ServiceTime.nullable().meta({
    description: "When the key was last used, to within 60 seconds; null if never.",
  }),
  status: z.enum(["active", "revoked"]).meta({ description: "`revoked` is permanent." }),
  suspended: z.boolean().meta({
    description: "True while the organisation is suspended: its keys get 401 until the platform team resumes it.",
  }),
  created_by: z.string().meta({ description: "Name of the person who created the key." }),
  revoked: ServiceTime.nullable().meta({ description: "When the key was revoked; null while it is active." }),
  revoked_by: z
    .string()
    .nullable()
    .meta({ description: "Name of the person who revoked the key; null while it is active." }),
});

const example: z.infer<typeof fields> = {
  id: "0mi7c1q2k5f0c2a9d1e4b",
  name: "Nightly sync",
  prefix: "tsk_4fQ9wLxT",
  scopes: ["read", "write:orders"],
  created: "2026-02-03T09:12:45.120Z",
  last_used: "2026-02-05T02:00:03.511Z",
  status: "active",
  suspended: false,
  created_by: "ada@riverside.example",
  revoked: null,
  revoked_by: null,
};

/** An API key as super-admins see it, without the secret and its hash. */
export const ApiKey = fields.meta({
  id: "ApiKey",
  description: "An API key of the organisation.",
  examples: [example],
});
export type ApiKey = z.infer<typeof ApiKey>;

export const CreatedApiKey = ApiKey.extend({
  key: z.string().meta({ description: "The whole secret. Only this response shows it." }),
}).meta({
  id: "CreatedApiKey",
  description: "The new API key, with its secret.",
  examples: [{ ...example, last_used: null, key: "tsk_4fQ9wLxT…" }],
});

const Name = z
  .string("Must be a string.")
  .overwrite(normalisedName)
  .min(1, "Must not be empty.")
  .refine((name) => hasAtMost(longestName, name), {
    error: `Must have at most ${longestName} characters.`,
    abort: true,
  })
  .refine((name) => !hasInvisible(name), "Must not contain invisible characters.")
  .refine((name) => redact(name) === name, "Must not contain an API key or a token.")
  .meta({
    description: "A label that shows people what uses the key. White space is collapsed.",
    maxLength: longestName,
  });

export const ApiKeyInput = z
  .strictObject({
    name: Name,
    scopes: z
      .array(Scope, "Must be an array of scopes.")
      .refine((scopes) => new Set(scopes).size === scopes.length, "Must not repeat a scope.")
      .meta({ description: "The key's scopes. `read` is always added.", uniqueItems: true }),
  })
  .meta({
    id: "ApiKeyInput",
    description: "The name and scopes of a new API key.",
    examples: [{ name: example.name, scopes: example.scopes }],
  });
export type ApiKeyInput = z.output<typeof ApiKeyInput>;

export const ApiKeyUpdate = z
  .strictObject({ name: Name })
  .meta({ id: "ApiKeyUpdate", description: "Changes to an API key.", examples: [{ name: example.name }] });

export const noNewKeys =
  "The organisation is suspended, or an earlier request with this `Idempotency-Key` created a key, which `key_id` names.";
