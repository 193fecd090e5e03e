import { UsageError } from "@ticketing/local-aws/usage-error";
import * as z from "zod";
import { blankBalancePayment, hasPersonalText } from "../../functions/records/blankBalancePayment.ts";
import { orderNoteRepository } from "../../functions/records/orderNoteRepository.ts";
import { ApiNote } from "../../functions/resources/order.ts";
import type { Item } from "../../functions/table/item.ts";
import { type ItemKey, itemKeys } from "../../functions/table/itemKeys.ts";
import { getItems } from "../../functions/table/reads.ts";
import { backOff, type Pause, retryWhileUnavailable } from "../../functions/table/retries.ts";
import type { Table } from "../../functions/table/table.ts";
import { Actor, auditStart, organisationOption } from "../organisation/organisation.ts";
import { command, dryRun, type Io, idOption, option } from "../shared/command.ts";
import { count } from "../shared/progress.ts";
import { openTarget, targetOptions } from "../shared/target.ts";

const about = `Removes note and external_reference of balance payments, and the notes that the API has set on orders. Amounts and everything else stay.
Readers of changes and webhooks see each as a change. Names, and an order's note from the core system, must be removed there.
docs/operators/recovery.md lists what this command cannot reach. If an id is unknown, it changes nothing.
Exit codes: 0 done, 2 failed, 130 interrupted. Running it again is safe, also at the same time.`;

/** An audit entry names them all. */
const maximumIds = 1_000;

function idsOption(name: string) {
  const ids = z
    .string()
    .transform((text) => [...new Set(text.split(","))])
    .pipe(z.array(idOption(name)).max(maximumIds, `${name} must have at most ${maximumIds} ids.`));
  return ids.default([]);
}

const Options = z
  .object({
    organisation: organisationOption,
    payments: option(idsOption("--payments"), "ID,...", "balance payments"),
    orders: option(idsOption("--orders"), "ID,...", "orders"),
    actor: option(Actor.optional(), "NAME", "the person who requested it, for the audit; required without --dry-run"),
    "dry-run": dryRun,
    ...targetOptions,
  })
  .refine(({ payments, orders }) => payments.length + orders.length > 0, "Name --payments ID,... or --orders ID,....")
  .refine(({ actor, "dry-run": isDryRun }) => isDryRun || actor !== undefined, "--actor is missing.");

export const main = command({ name: "person blank", Options, about }, run);

async function run(options: z.infer<typeof Options>, { stdout, signal }: Io): Promise<number> {
  const { organisation, payments, orders, actor } = options;
  const table = await openTarget(options);
  const pause = backOff(signal);
  const paymentKeys = payments.map((id) => itemKeys.balance_payment(organisation, id));
  const found = {
    payments: await readAll(table, paymentKeys, pause),
    orders: await readAll(
      table,
      orders.map((id) => itemKeys.order(organisation, id)),
      pause,
    ),
  };
  const texts = { payments: found.payments.filter(hasPersonalText), orders: found.orders.filter(hasNote) };
  if (options["dry-run"] || actor === undefined) {
    stdout.write(
      `${describe(texts.payments.length, texts.orders.length)} have texts to remove. Nothing was changed.\n`,
    );
    return 0;
  }
  const what = {
    organisation_id: organisation,
    action: "blanking" as const,
    actor,
    balance_payments: payments,
    orders,
  };
  const complete = await auditStart(table, what, pause);
  const blanked = { BALANCEPAYMENT: 0, ORDER: 0 };
  for (const key of paymentKeys) {
    const blank = (isRepeated: boolean) => blankBalancePayment(table, key, isRepeated);
    if (await retryWhileUnavailable(blank, pause)) blanked.BALANCEPAYMENT += 1;
  }
  const notes = orderNoteRepository(organisation, table);
  for (const { id } of texts.orders) {
    signal.throwIfAborted();
    await retryWhileUnavailable(() => notes.set(Number(id), null), pause);
    blanked.ORDER += 1;
  }
  await complete(blanked);
  stdout.write(`Removed the texts of ${describe(blanked.BALANCEPAYMENT, blanked.ORDER)}. The others have none.\n`);
  return 0;
}

/** @throws UsageError that names the ids that do not exist. */
async function readAll(table: Table, keys: ItemKey[], pause: Pause): Promise<Item[]> {
  const items = await retryWhileUnavailable(() => getItems(table, keys), pause);
  const missing = keys.filter(({ PK }) => !items.some((item) => item.PK === PK));
  if (missing.length === 0) return items;
  const ids = missing.map(({ PK }) => PK.split("#").at(-1)).join(", ");
  const kind = missing[0]?.SK === itemKeys.order(1, 1).SK ? "order" : "balance payment";
  throw new UsageError(`The organisation has no ${kind} ${ids}. Nothing was changed.`);
}

function hasNote({ api_note }: Item): boolean {
  return typeof ApiNote.safeParse(api_note).data?.admin_note === "string";
}

function describe(payments: number, orders: number): string {
  return `${count(payments)} balance payments and ${count(orders)} orders`;
}
