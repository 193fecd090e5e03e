import { logger } from "../log/logger.ts";
import { blankBalancePayment, hasPersonalText } from "../records/blankBalancePayment.ts";
import { balancePayments } from "../resources/balancePayment.ts";
import { CallLimit } from "../table/callLimit.ts";
import { fromAttributes, type Item, isTombstone } from "../table/item.ts";
import { type ItemKey, itemKeys, organisationIdOf } from "../table/itemKeys.ts";
import { declaredList } from "../table/lists.ts";
import { getStored, listItems } from "../table/reads.ts";
import { type Pause, retryWhileUnavailable } from "../table/retries.ts";
import type { Table } from "../table/table.ts";
import type { StreamRecord } from "./streamRecord.ts";

const sortKeys = { event: itemKeys.event(1, 1).SK, payment: itemKeys.balance_payment(1, 1).SK };
const pageSize = 100;

/**
 * Blanks the texts of balance payments whose event was deleted. It acts on both records, the deletion's and a new payment's, because a payment can
 * be recorded while its event is deleted.
 * @returns the records to retry.
 */
export async function blankDeletedEvents(
  table: Table,
  records: readonly StreamRecord[],
  pause: Pause,
): Promise<StreamRecord[]> {
  const callLimit = new CallLimit();
  const failed: StreamRecord[] = [];
  for (const record of records) {
    const item = fromAttributes(record.after ?? {});
    try {
      if (record.key.SK === sortKeys.event && isTombstone(item)) await blankPaymentsOf(record.key);
      else if (record.key.SK === sortKeys.payment && record.change === "INSERT") await blankNew(record.key, item);
    } catch (error) {
      logger.error("Texts of a deleted event's balance payments were not blanked.", { key: record.key, error });
      failed.push(record);
    }
  }
  return failed;

  async function blankPaymentsOf({ PK }: ItemKey): Promise<void> {
    const list = declaredList(balancePayments, "ofEvent", organisationIdOf(PK), Number(PK.split("#").at(-1)));
    let after: string | undefined;
    do {
      const position = { after };
      const { items, lastSortKey } = await retryWhileUnavailable(
        () => listItems(table, list, pageSize, position),
        pause,
      );
      await Promise.all(
        items.filter(hasPersonalText).map((item) => blank({ PK: String(item.PK), SK: sortKeys.payment })),
      );
      after = lastSortKey;
    } while (after !== undefined);
  }

  async function blankNew(key: ItemKey, payment: Item): Promise<void> {
    if (!hasPersonalText(payment)) return;
    const event = itemKeys.event(organisationIdOf(key.PK), Number(payment.event_id));
    const [found] = await retryWhileUnavailable(() => getStored(table, [event], { attributes: ["deleted"] }), pause);
    if (found && isTombstone(found)) await blank(key);
  }

  function blank(key: ItemKey): Promise<boolean> {
    const once = (isRepeated: boolean) => callLimit.run(() => blankBalancePayment(table, key, isRepeated));
    return retryWhileUnavailable(once, pause);
  }
}
