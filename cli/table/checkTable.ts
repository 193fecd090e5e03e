import * as z from "zod";
import type { Item } from "../../functions/table/item.ts";
import { backOff, retryWhileUnavailable } from "../../functions/table/retries.ts";
import { itemsOfOrganisation } from "../organisation/organisation.ts";
import { command, flag, type Io, idOption, option } from "../shared/command.ts";
import { count, showProgress } from "../shared/progress.ts";
import { nextCommand, openTarget, targetOptions } from "../shared/target.ts";
import { checkedItem, repairItem } from "./checkedItem.ts";
import { scanItems } from "./scanTable.ts";

const about = `Finds records, tombstones and balance payments that another tool has edited: it reads the whole table once, and compares each item's content hash
and its places in the indexes with its fields. It prints keys and names of attributes, and no values.
With --repair, the content as it is now becomes a change like any other, so readers of the changes, webhooks, look-ups and summaries follow, and a later
record of the core system wins. Damaged items are not repaired: docs/operators/runbook.md#damaged-items. Run it with the version that the service runs.
Exit codes: 0 nothing differs, or all was repaired, 1 something differs, 2 failed, 130 interrupted.
Running it again is safe. After 2 or 130, run it again; it starts from the beginning.`;

const Options = z.object({
  organisation: option(idOption("--organisation").optional(), "ID", "only this organisation's items; default: all"),
  repair: flag("accept what differs as a change"),
  ...targetOptions,
});

export const main = command({ name: "table check", Options, about }, run);

async function run({ organisation, repair, ...target }: z.infer<typeof Options>, io: Io): Promise<number> {
  const { stdout, stderr, signal } = io;
  const table = await openTarget(target);
  const pause = backOff(signal);
  const totals = { checked: 0, differing: 0, repaired: 0, damaged: 0 };
  const check = async (item: Item) => {
    const found = checkedItem(item, table.clock.nowMs());
    totals.checked += 1;
    if (found.kind === "correct") return;
    const left = repair ? await retryWhileUnavailable(() => repairItem(table, item), pause) : found;
    const isRepaired = left.kind === "correct";
    if (found.kind === "damaged") totals.damaged += 1;
    else totals.differing += 1;
    if (isRepaired) totals.repaired += 1;
    const attributes = found.attributes.join(", ");
    stdout.write(`${item.PK}  ${found.kind}: ${attributes}${isRepaired ? "; repaired" : ""}\n`);
  };
  const progress = showProgress(stderr, () => totals.checked);
  try {
    const wanted = organisation === undefined ? {} : itemsOfOrganisation(organisation);
    await scanItems(table, wanted, check, { pause, signal });
  } finally {
    const seconds = progress.stop();
    const { checked, differing, repaired, damaged } = totals;
    stdout.write(
      `${count(checked)} items checked, ${count(differing)} differ, ${count(repaired)} repaired, ${count(damaged)} damaged, in ${seconds} s.\n`,
    );
  }
  if (totals.differing > totals.repaired) {
    const options = organisation === undefined ? "" : ` --organisation ${organisation}`;
    stdout.write(`To repair those that differ:\n  ${nextCommand(`table check${options} --repair`, target)}\n`);
  }
  return totals.differing + totals.damaged > totals.repaired ? 1 : 0;
}
