import { acceptChange, type ChangeTime } from "../../functions/records/acceptChange.ts";
import { recordSortKeys } from "../../functions/records/recordItem.ts";
import { kept } from "../../functions/records/upsertRecord.ts";
import { CallLimit } from "../../functions/table/callLimit.ts";
import type { Item } from "../../functions/table/item.ts";
import { type ItemKey, itemKeys, itemTypeOf } from "../../functions/table/itemKeys.ts";
import { type List, partitions } from "../../functions/table/lists.ts";
import { getStored, listItems } from "../../functions/table/reads.ts";
import { retryWhileUnavailable } from "../../functions/table/retries.ts";
import type { Table } from "../../functions/table/table.ts";
import { putItem } from "../../functions/table/writes.ts";
import { count } from "../shared/progress.ts";
import type { Waiting } from "../table/scanTable.ts";
import type { Counts } from "./organisation.ts";
import { isOfTable } from "./organisationRestore.ts";
import {
  type Decision,
  decide,
  hasLostNote,
  isAsRead,
  isDamagedPayment,
  keyed,
  type Outcome,
  type Window,
} from "./repairedItem.ts";

interface Found {
  number: number;
  /** The first ten. */
  ids: string[];
}

/** The items of an organisation by outcome and type. */
export class Repaired {
  /** Compared items. */
  read = 0;
  readonly failures: { key: ItemKey; error: unknown }[] = [];
  readonly #found = new Map<string, Found>();

  add(outcome: Outcome | "lostNote" | "damagedPayment", { PK, SK }: ItemKey): void {
    const name = `${outcome} ${itemTypeOf({ PK, SK })}`;
    const found = this.#found.get(name) ?? { number: 0, ids: [] };
    this.#found.set(name, found);
    found.number += 1;
    if (found.ids.length < 10) found.ids.push(PK.split("#").at(-1) ?? "");
  }

  /** The written items by outcome and type, for the audit. */
  counts(): Counts {
    const written = [...this.#found].filter(([name]) => /^(written|replaced|deleted) /.test(name));
    return Object.fromEntries(written.map(([name, { number }]) => [name, number]));
  }

  describe(): string {
    const lines = Object.entries(meanings).flatMap(([outcome, meaning]) =>
      [...this.#found].flatMap(([name, { number, ids }]) => {
        const [found, type] = name.split(" ");
        const more = number > ids.length ? ", …" : "";
        return found === outcome
          ? [`${count(number).padStart(12)} ${type} ${meaning}: ${ids.join(", ")}${more}\n`]
          : [];
      }),
    );
    return lines.join("");
  }
}

const meanings = {
  written: "missing, written",
  replaced: "replaced",
  deleted: "deleted",
  isNew: "not in the source, kept without --delete-new",
  changedOutside: "differ, but changed outside the window, kept",
  notedLater: "differ, but a later note hides when they changed, kept; have the core system send them again",
  lostNote: "lost a note, or a record ended it; not restored; set a lost one again through the API",
  damagedPayment: "damaged, not restored",
} as const;

interface Repair {
  live: Table;
  source: Table;
  organisationId: number;
  window: Window;
  isDryRun: boolean;
}

/** Items that are compared at a time. */
const pageSize = 500;
const paymentSortKey = itemKeys.balance_payment(1, 1).SK;

/**
 * Makes an organisation's records in the live table equal to those of a source, such as the table restored to a time before a damage. Touches only items
 * that the live table lacks, or that changed there in the window, and gives each a new change time. Anything that only this service has stays:
 * keys, webhooks, notes and balance payments. Both tables are read by their lists of changes, which contain every record and tombstone.
 * @param repaired is updated during the run.
 */
export async function repairOrganisation(repair: Repair, repaired: Repaired, waiting: Waiting): Promise<void> {
  const { live, source, organisationId, window, isDryRun } = repair;
  const callLimit = new CallLimit();
  const repairOne = async (key: ItemKey, earlier: Item | undefined, now: Item | undefined) => {
    repaired.read += 1;
    try {
      if (key.SK === paymentSortKey) {
        if (earlier && isDamagedPayment(earlier, now)) repaired.add("damagedPayment", key);
        return;
      }
      const decideOn = (found: Item | undefined) => decide(earlier, found, window);
      const decision = decideOn(now);
      if (decision.outcome !== "changedOutside" && earlier && hasLostNote(earlier, now)) repaired.add("lostNote", key);
      const isWritten = !isDryRun && decision.item !== undefined;
      const { outcome } = isWritten ? await write(key, now, decideOn) : decision;
      if (outcome !== "same") repaired.add(outcome, key);
    } catch (error) {
      if (waiting.signal.aborted || isOfTable(error)) throw error;
      repaired.failures.push({ key, error });
    }
  };
  const write = (key: ItemKey, now: Item | undefined, decideOn: (found: Item | undefined) => Decision) =>
    retryWhileUnavailable(
      (isRepeated) => callLimit.run(() => writeDecided(live, key, now, decideOn, isRepeated)),
      waiting.pause,
    );

  for (const sortKey of [...recordSortKeys, paymentSortKey]) {
    for await (const rows of pagesOf(source, partitions.changes(organisationId, sortKey), waiting)) {
      const found = await storedIn(live, rows, waiting);
      await Promise.all(rows.map((row) => repairOne(row, row, found.get(row.PK))));
    }
    if (sortKey === paymentSortKey) continue;
    const inWindow = partitions.changes(organisationId, sortKey, { from: window.from, to: `${window.to}~` });
    for await (const rows of pagesOf(live, inWindow, waiting)) {
      const found = await storedIn(source, rows, waiting);
      const isNew = rows.filter(({ PK }) => !found.has(PK));
      await Promise.all(isNew.map((row) => repairOne(row, undefined, row)));
    }
  }
}

/**
 * Writes what is decided on an item with a new change time, on condition that the item is as decided on; otherwise decides on the stored one.
 * @param isRepeated true if an earlier call may have stored the item late, under an old change time.
 */
function writeDecided(
  table: Table,
  key: ItemKey,
  read: Item | undefined,
  decideOn: (found: Item | undefined) => Decision,
  isRepeated: boolean,
): Promise<Decision> {
  return acceptChange<Decision>(table, (refusal) => {
    const found = refusal ? refusal.item : read;
    const decision = decideOn(found);
    if (decision.outcome === "same") return { result: isRepeated ? decideOn(read) : decision, stored: key, isRepeated };
    if (!decision.item) return { result: decision };
    const repaired = decision.item;
    const asRead = isAsRead(found);
    const write = async ({ attributes, condition, values }: ChangeTime) => {
      const item = { ...kept({ ...repaired }, table.clock.nowMs()), ...attributes };
      const both = { condition: `${condition} AND ${asRead.condition}`, values: { ...values, ...asRead.values } };
      await putItem(table, item, both);
      return decision;
    };
    return { key, write };
  });
}

async function* pagesOf(table: Table, list: List, { pause, signal }: Waiting): AsyncGenerator<(Item & ItemKey)[]> {
  let after: string | undefined;
  do {
    signal.throwIfAborted();
    const position = { after };
    const { items, lastSortKey } = await retryWhileUnavailable(() => listItems(table, list, pageSize, position), pause);
    yield items.map(keyed);
    after = lastSortKey;
  } while (after !== undefined);
}

async function storedIn(table: Table, keys: ItemKey[], { pause }: Waiting): Promise<Map<unknown, Item>> {
  const items = await retryWhileUnavailable(() => getStored(table, keys), pause);
  return new Map(items.map((item) => [item.PK, item]));
}
