import type { Item } from "../../functions/table/attributeValue.ts";
import { ConditionFailed } from "../../functions/table/errors.ts";
import { keys, organisationPrefix } from "../../functions/table/keys.ts";
import type { Table } from "../../functions/table/table.ts";
import { type Pause, untilAnswered } from "../../functions/table/untilTaken.ts";
import { putItem } from "../../functions/table/writes.ts";
import { scanInParallel, type Wanted } from "./scanTable.ts";

/** What is carried of each organisation: API keys, what they have in common, webhooks, and the activity of both. */
const ofOrganisation = [
  keys.apiKey(1, ""),
  keys.apiKeyActivity(1, ""),
  keys.access(1),
  keys.webhook(1, ""),
  keys.webhookActivity(1, ""),
  keys.webhookCount(1),
].map(({ PK }) => `#${PK.slice(organisationPrefix(1).length)}`);

const wanted: Wanted = {
  filter: `begins_with(PK, :hash) OR begins_with(PK, :tag) OR begins_with(PK, :audit) OR (begins_with(PK, :organisation) AND (${ofOrganisation.map((_, index) => `contains(PK, :${index})`).join(" OR ")}))`,
  values: {
    ":hash": keys.apiKeyHash("").PK,
    ":tag": keys.keyTag("").PK,
    ":audit": keys.organisationAudit("").PK,
    ":organisation": "ORG#",
    ...Object.fromEntries(ofOrganisation.map((text, index) => [`:${index}`, text])),
  },
};

/**
 * Entries never change, and revocation is permanent. What an organisation's keys have in common, and the number of its webhooks, are as they are
 * now, and so is a webhook, whose revision only grows: an earlier one would sign with a secret that was replaced.
 */
const mayChange = ({ revision = 0 }: Item) => ({
  condition:
    "attribute_not_exists(PK) OR SK IN (:access, :count) OR revision < :revision OR (attribute_not_exists(revision) AND #status = :active)",
  names: { "#status": "status" },
  values: {
    ":active": "active",
    ":access": keys.access(1).SK,
    ":count": keys.webhookCount(1).SK,
    ":revision": revision,
  },
});

/**
 * Copies the current API keys, webhooks and audit entries of a table into an earlier restore of it. A key revoked since then stays revoked, and a
 * key created since then works.
 *
 * @returns the number of items written.
 */
export async function carryOver(
  from: Table,
  to: Table,
  { pause, signal }: { pause: Pause; signal: AbortSignal },
): Promise<number> {
  let written = 0;
  const put = async (item: Item) => {
    try {
      await putItem(to, item, mayChange(item));
      written += 1;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  };
  const onPage = async (items: Item[]) => {
    for (const item of items) await untilAnswered(() => put(item), pause);
  };
  await scanInParallel(from, wanted, onPage, { pause, signal });
  return written;
}
