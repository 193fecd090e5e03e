import assert from "node:assert/strict";
import * as z from "zod";
import { itemTypeOf } from "../../../functions/table/itemKeys.ts";
import { dumpItems } from "../../support/data/table.ts";

const Stored = z.looseObject({ PK: z.string(), SK: z.string(), answer: z.looseObject({}).default({}) });

const revocation = "status revoked revoked_by";
const webhook = "id organisation_id url types description status created created_by position revision secret_version";
const delivery =
  "text_secret_from earlier_secret_until delivered_until claim_id claimed_until next_poll failures failing_since";
/** Look at an attribute before you add it here: nothing may open a secret, even with the Idempotency-Key known. */
const attributes = {
  APIKEYS: `id name prefix scopes created created_by hash ${revocation}`,
  KEYHASH: `id name prefix scopes organisation_id hash last_used ${revocation}`,
  ACTIVITY: "id kind action time actor actor_id key_id key_name key_prefix former_name scopes webhook_id url",
  ACCESS: "tag suspended",
  IDEMPOTENCY: "request expires_at answer.id answer.secret_version answer.recorded answer.refused",
  WEBHOOKS: `${webhook} ${delivery} webhook_disabled GSI4PK GSI4SK`,
};

/**
 * Asserts that what a run stored about keys, webhooks and repeated requests has no further attribute.
 * @param isWhole true if every page ran: then there must be items of each of these types.
 */
export async function assertStoredAttributes(isWhole: boolean): Promise<void> {
  const items = (await dumpItems()).map((item) => Stored.parse(item));
  for (const [type, known] of Object.entries(attributes)) {
    const some = items.filter((item) => itemTypeOf(item) === type);
    const names = some.flatMap(({ answer, ...item }) => [
      ...Object.keys(item),
      ...Object.keys(answer).map((name) => `answer.${name}`),
    ]);
    if (isWhole) assert.ok(names.length > 0, `No item is of the type ${type}.`);
    const isKnown = (name: string) => ["PK", "SK", ...known.split(" ")].includes(name);
    assert.deepEqual(
      names.filter((name) => !isKnown(name)),
      [],
      `${type}: a new attribute that is not secret belongs in test/promises/local/storedAttributes.ts.`,
    );
  }
}
