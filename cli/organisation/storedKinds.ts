import * as z from "zod";
import { Activity } from "../../functions/audit/activityRepository.ts";
import { ApiKeyInput } from "../../functions/keys/apiKey.ts";
import { ApiKeyHash } from "../../functions/keys/apiKeyHashes.ts";
import { StoredApiKey } from "../../functions/keys/storedApiKey.ts";
import type { Item } from "../../functions/table/item.ts";
import { type ItemKey, itemKeys, itemTypeOf } from "../../functions/table/itemKeys.ts";
import { placeAttributes } from "../../functions/table/lists.ts";
import { ServiceTime } from "../../functions/values/instant.ts";
import { timeOrderedIdPattern } from "../../functions/values/timeOrderedId.ts";
import { StoredWebhook } from "../../functions/webhooks/storedWebhook.ts";
import { WebhookInput } from "../../functions/webhooks/webhook.ts";

/** A kind of line in an export's additions: a stored item without its keys and index attributes. */
interface StoredKind {
  kind: string;
  /** Exactly the attributes. */
  schema: z.ZodType<Item>;
  keyOf: (organisationId: number, data: Item) => ItemKey;
}

/** Longer than any stored text. */
const longestText = 4_096;

/** Exactly these attributes. Nullable attributes may be missing, because an item can be older than the attribute. */
function stored(shape: z.ZodRawShape): z.ZodType<Item> {
  const fields = Object.entries(shape).map(([name, field]) => [
    name,
    field instanceof z.ZodNullable ? field.optional() : field,
  ]);
  return z.strictObject(Object.fromEntries(fields)).check(({ value, issues }) => {
    for (const [name, text] of Object.entries(value))
      if (typeof text === "string" && text.length > longestText)
        issues.push({
          code: "custom",
          path: [name],
          message: `Must have at most ${longestText} characters.`,
          input: "",
        });
  });
}

const id = z.string().regex(timeOrderedIdPattern, "Must be an id of this service.");
/** The common attributes of both items of an API key. */
const apiKey = {
  id,
  name: ApiKeyInput.shape.name,
  prefix: z.string().regex(/^tsk_[0-9A-Za-z]{8}$/, "Must be the first 12 characters of a key."),
  hash: z.string().regex(/^[0-9a-f]{64}$/, "Must be a SHA-256 in lower-case hexadecimal."),
  scopes: ApiKeyHash.shape.scopes,
  status: ApiKeyHash.shape.status,
  revoked: ServiceTime.nullable(),
  revoked_by: z.string().nullable(),
};
const { url, description } = WebhookInput.shape;
const natural = z.int().nonnegative();

const kinds: StoredKind[] = [
  {
    kind: "access",
    schema: stored({
      tag: z
        .string()
        .regex(/^[0-9A-Za-z]{5}$/, "Must be a tag of keys.")
        .optional(),
      suspended: ServiceTime.optional(),
    }),
    keyOf: itemKeys.access,
  },
  {
    kind: "api_key",
    schema: stored({ ...StoredApiKey.shape, ...apiKey, created: ServiceTime }),
    keyOf: (organisationId, data) => itemKeys.apiKey(organisationId, String(data.id)),
  },
  {
    kind: "api_key_hash",
    schema: stored({ ...ApiKeyHash.shape, ...apiKey, last_used: ServiceTime.nullable() }),
    keyOf: (_, { hash }) => itemKeys.apiKeyHash(String(hash)),
  },
  {
    kind: "webhook",
    schema: stored({
      ...StoredWebhook.shape,
      ...{
        id,
        url,
        description,
        secret_version: natural,
        text_secret_from: natural.nullable().default(null),
        failures: natural,
        revision: natural,
      },
      claimed_until: ServiceTime.nullable(),
      restored: z.literal(true).optional(),
    }),
    keyOf: (organisationId, data) => itemKeys.webhook(organisationId, String(data.id)),
  },
  {
    kind: "activity",
    schema: stored({ ...Activity.shape, id }),
    keyOf: (organisationId, data) => itemKeys.activity(organisationId, String(data.id)),
  },
];

const byType = new Map(kinds.map((one) => [itemTypeOf(one.keyOf(1, { id: "", hash: "" })), one]));
const byKind = new Map(kinds.map((one) => [one.kind, one]));

export function storedKind(kind: string): StoredKind | undefined {
  return byKind.get(kind);
}

/** The line of an item. @throws Error if no line has items of this type, or the item is damaged, so that it could not be restored. */
export function storedAddition(type: string, item: Item): { kind: string; data: Item } {
  const found = byType.get(type);
  if (!found) throw new Error("The export does not know this kind of item");
  const own = Object.entries(item).filter(([name]) => !/^(PK|SK)$/.test(name) && !placeAttributes.includes(name));
  return { kind: found.kind, data: found.schema.parse(Object.fromEntries(own)) };
}
