import { contributionItem } from "../../functions/data/summaries/contribution.ts";
import type { ItemKey } from "../../functions/data/table/keys.ts";
import { addCounters, type Counters, sharesOf } from "../../functions/data/summaries/summaryShares.ts";
import type { Item } from "../../functions/data/table/item.ts";

/**
 * What the consumer of the table's stream would make of new items, without the reads and the waiting: a contribution for each that
 * counts, and the summaries.
 */
export function countDemoItems(items: (Item & ItemKey)[]): (Item & ItemKey)[] {
  const date_generated = new Date().toISOString();
  const summaries = new Map<string, ItemKey & { counters: Counters }>();
  const contributions = items.flatMap((item) => {
    const shares = sharesOf(item, item);
    for (const { PK, SK, counters } of shares) {
      summaries.set(PK, { PK, SK, counters: addCounters(summaries.get(PK)?.counters ?? {}, counters, 1) });
    }
    return shares.length > 0 ? [contributionItem(item.PK, shares, [])] : [];
  });
  return [
    ...contributions,
    ...[...summaries.values()].map(({ counters, ...key }) => ({ ...key, date_generated, ...counters })),
  ];
}
