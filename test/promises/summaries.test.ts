import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { beforeAll, test } from "@jest/globals";
import { Summary } from "../../functions/summaries/summary.ts";
import { changesShown, one, two } from "../support/service/testedService.ts";

type Row = ReturnType<typeof JSON.parse>;

const guide = await readFile(new URL("../../docs/integrators/guides/summaries.md", import.meta.url), "utf8");

/** The cells of the guide's table whose first column has this name. */
function tableOf(firstColumn: string): string[][] {
  const [table = ""] = guide.slice(guide.indexOf(`| ${firstColumn} |`)).split("\n\n");
  const [, , ...lines] = table.split("\n");
  return lines.map((line) =>
    line
      .split("|")
      .map((cell) => cell.trim().replace(/^`([^`]+)`$/, "$1"))
      .slice(1, -1),
  );
}

const rowsTable = tableOf("rows");
const fieldsTable = tableOf("field");
const namesIn = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name);

/** The rows of an organisation, as its changes show them. */
class Rows {
  readonly all: Row[];
  private readonly byName = new Map<string, Row[]>();

  constructor(changes: Row[]) {
    this.all = changes
      .filter(({ change }) => change === "upserted")
      .map(({ type, event_id, data }) => ({ of: type, event_id, ...data }));
  }

  find(of: string, id: unknown): Row {
    return this.all.find((row) => row.of === of && row.id === id);
  }

  /** The rows that the guide calls by this name. */
  called(name: string): Row[] {
    const found = this.byName.get(name) ?? this.select(name);
    this.byName.set(name, found);
    return found;
  }

  private select(name: string): Row[] {
    const [, of, condition = ""] = rowsTable.find(([found]) => found === name) ?? assert.fail(name);
    return this.all.filter(
      (row) => row.of === of && condition.split(/,? and |, /).every((part) => this.holds(row, part)),
    );
  }

  private holds(row: Row, condition: string): boolean {
    const [, parents] = /^its order is one of the (.+)$/.exec(condition) ?? [];
    if (parents !== undefined) return this.called(parents).some(({ id }) => id === row.order_id);
    const [name = "", ...values] = namesIn(condition);
    assert.match(condition, /^`\w+` is `\w+`( or `\w+`)*$/);
    return values.includes(String(row[name]));
  }

  /** The number that a row adds to a field. */
  addition(row: Row, sumOf: string): number {
    if (sumOf === "1") return 1;
    if (sumOf !== "`people` of the ticket's category") return row[sumOf];
    const category = this.find("ticket_category", row.ticket_category_id);
    return category?.event_id === row.event_id ? category.people : 1;
  }

  currencyOf(row: Row): string {
    const order = this.find("order", row.order_id);
    if (row.of === "ticket") return this.currencyOf(order);
    if (row.of === "payment") return row.currency ?? (order ? this.currencyOf(order) : "");
    return row.currency ?? row.currency_symbol ?? "";
  }
}

/** A summary by the guide alone, without the time of its last change. */
function summaryByGuide(rows: Rows, event: Row, date: Row | undefined): Row {
  const isWanted = (row: Row) => (date ? row.date_id === date.id : row.event_id === event.id);
  const additions = fieldsTable.flatMap(([field = "", names = "", sumOf = ""]) =>
    names.split(", less ").flatMap((name, index) =>
      rows
        .called(name)
        .filter(isWanted)
        .map((row) => {
          const isAmount = sumOf !== "1" && !sumOf.includes("people");
          const value = rows.addition(row, sumOf) * (index === 0 ? 1 : -1);
          return { field, value, category: row.ticket_category_id, currency: isAmount ? rows.currencyOf(row) : null };
        }),
    ),
  );
  const used = [...new Set(additions.filter(({ value }) => value !== 0).map(({ currency }) => currency))];
  const known = used.filter((currency) => currency);
  const isOfAmounts = event.currency === null && known.length === 1 && known[0] !== event.currency_symbol;
  const { currency, currency_symbol } = isOfAmounts ? named(known[0]) : event;
  const own = [null, "", ...(isOfAmounts ? known : [event.currency, event.currency_symbol])];
  const total = (some: typeof additions) => {
    const sums = fieldsTable.map(([field = ""]) => [field, 0] as [string, number]);
    for (const { field, value } of some) for (const sum of sums) if (sum[0] === field) sum[1] += value;
    return Object.fromEntries(sums);
  };
  const inOwn = additions.filter((one) => own.includes(one.currency));
  const sold = new Set(additions.filter(({ field }) => field === "tickets_sold").map(({ category }) => category));
  return {
    event_id: event.id,
    date_id: date?.id ?? null,
    ...total(inOwn),
    ...{ currency, currency_symbol },
    ticket_categories: [...sold]
      .sort((one, other) => one - other)
      .map((ticket_category_id) => ({
        ticket_category_id,
        ...pick(total(inOwn.filter(({ category }) => category === ticket_category_id)), categoryFields),
      })),
    other_currencies: known
      .filter((name) => !own.includes(name))
      .sort()
      .map((name) => ({
        ...named(name),
        ...pick(total(additions.filter((one) => one.currency === name)), currencyFields),
      })),
  };
}

const categoryFields = Object.keys(Summary.shape.ticket_categories.element.shape);
const currencyFields = Object.keys(Summary.shape.other_currencies.element.shape);

function pick(sums: Record<string, number>, names: readonly string[]) {
  return Object.fromEntries(Object.entries(sums).filter(([name]) => names.includes(name)));
}

function named(currency: string | null | undefined) {
  const isCode = /^[A-Z]{3}$/.test(currency ?? "");
  return { currency: isCode ? currency : null, currency_symbol: isCode ? null : currency };
}

beforeAll(changesShown);

test("the guide's table has every number of a summary", () => {
  const numbers = Object.entries(Summary.shape).filter(
    ([name, field]) => !/_id$/.test(name) && field.safeParse(1).success,
  );
  assert.deepEqual(
    fieldsTable.map(([field]) => field),
    numbers.map(([name]) => name),
  );
});

test.each([one, two])("the guide's tables alone give every summary of the demo data", async (client) => {
  const rows = new Rows(await client.rows("/v1/changes", [200]));
  const dates = rows.all.filter(({ of }) => of === "event_date");
  assert.ok(dates.length > 20);
  for (const event of rows.all.filter(({ of }) => of === "event")) {
    for (const date of [undefined, ...dates.filter(({ event_id }) => event_id === event.id)]) {
      const path = date ? `/v1/dates/${date.id}/summary` : `/v1/events/${event.id}/summary`;
      const { date_generated: _, ...shown } = Summary.parse(await client.json(path));
      assert.deepEqual(shown, summaryByGuide(rows, event, date), path);
    }
  }
});
