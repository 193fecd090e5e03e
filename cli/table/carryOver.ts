import type { Item } from "../../functions/table/attributeValue.ts";
import { ConditionFailed } from "../../functions/table/errors.ts";
import { keys, organisationPrefix } from "../../functions/table/keys.ts";
import type { Table } from "../../functions/table/table.ts";
import { type Pause, untilAnswered } from "../../functions/table/untilTaken.ts";
import { putItem } from "../../functions/table/writes.ts";
import { scanInParallel, type Wanted } from "./scanTable.ts";

/** API keys, what an organisation's keys have in common, their activity, and the audit. */
const wanted: Wanted = {
  filter:
    "begins_with(PK, :hash) OR begins_with(PK, :tag) OR begins_with(PK, :audit) OR (begins_with(PK, :organisation) AND (contains(PK, :keys) OR contains(PK, :activity) OR contains(PK, :access)))",
  values: {
    ":hash": keys.apiKeyHash("").PK,
    ":tag": keys.keyTag("").PK,
    ":audit": keys.organisationAudit("").PK,
    ":organisation": "ORG#",
    ":keys": `#${keys.apiKey(1, "").PK.slice(organisationPrefix(1).length)}`,
    ":activity": `#${keys.apiKeyActivity(1, "").PK.slice(organisationPrefix(1).length)}`,
    ":access": `#${keys.access(1).PK.slice(organisationPrefix(1).length)}`,
  },
};

/** Entries never change, and revocation is permanent. What an organisation's keys have in common is as it is now. */
const mayChange = {
  condition: "attribute_not_exists(PK) OR #status = :active OR SK = :access",
  names: { "#status": "status" },
  values: { ":active": "active", ":access": keys.access(1).SK },
};

/**
 * Copies the current API keys and audit entries of a table into an earlier restore of it. A key revoked since then stays revoked, and a
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
      await putItem(to, item, mayChange);
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
