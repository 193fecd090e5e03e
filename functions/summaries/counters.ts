/** Integers by name. A missing counter is 0. An amount of money has a counter for each currency. */
export type Counters = Record<string, number>;

const amountNames = [
  "gross",
  "sales_total",
  "discount_total",
  "fee_total",
  "tax_total",
  "refunded_total",
  "net",
  "balance_paid_total",
  "balance_refunded_total",
] as const;
export type AmountName = (typeof amountNames)[number];

type CategoryCounter = "tickets_sold" | "checked_in_count" | "gross" | "sales_total" | "extra_people";

/** `extra_people` is the number of people beyond one that each ticket admits, so a ticket of an unknown category admits one. */
export function categoryCounter(categoryId: number, name: CategoryCounter): string {
  return `category#${categoryId}#${name}`;
}

/** Identifies a currency: an ISO 4217 code, the beginning of a symbol if the code is unknown, or "" if both are. */
export type CurrencyName = string;

/** Long enough for every symbol, and short because it is part of counters' names. */
const longestCurrencyName = 16;

export function currencyName(text: string | null): CurrencyName {
  return [...(text ?? "")].slice(0, longestCurrencyName).join("");
}

export function currencyOf(fields: { currency: string | null; currency_symbol: string | null }): CurrencyName {
  return currencyName(fields.currency) || currencyName(fields.currency_symbol);
}

const amountPattern = new RegExp(`^(?:category#(\\d+)#)?(${amountNames.join("|")})(?:#(.+))?$`, "s");

/** The kind and currency in the name of an amount's counter. */
export function amountOf(
  counter: string,
): { name: AmountName; currency: CurrencyName; categoryId: number | undefined } | undefined {
  const [, category, found, currency = ""] = amountPattern.exec(counter) ?? [];
  const name = amountNames.find((one) => one === found);
  return name && { name, currency, categoryId: category === undefined ? undefined : Number(category) };
}

/** Names the currency of amounts, which had none yet. */
export function inCurrency(counters: Counters, currency: CurrencyName): Counters {
  if (currency === "") return counters;
  return Object.fromEntries(
    Object.entries(counters).map(([name, value]) => [amountOf(name) ? `${name}#${currency}` : name, value]),
  );
}

export function addCounters(sum: Counters, counters: Counters, factor: 1 | -1): Counters {
  const added = { ...sum };
  for (const [name, value] of Object.entries(counters)) added[name] = (added[name] ?? 0) + factor * value;
  return withoutZeros(added);
}

export function withoutZeros(counters: Counters): Counters {
  return Object.fromEntries(Object.entries(counters).filter(([, value]) => value !== 0));
}
