import * as z from "zod";

/** The sums in one currency. */
export const amountNames = [
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

/** `extra_people` is the number of people beyond one that each ticket of a category admits, so a ticket of an unknown category admits one. */
export const counterNames = [
  ...amountNames,
  "orders_count",
  "tickets_sold",
  "checked_in_count",
  "extra_people",
] as const;
export type CounterName = (typeof counterNames)[number];

// Object.fromEntries loses the names.
const shape = Object.fromEntries(counterNames.map((name) => [name, z.int().optional()])) as Record<
  CounterName,
  z.ZodOptional<z.ZodInt>
>;

/** A missing counter is 0. */
export const Counters = z.object(shape);
export type Counters = z.infer<typeof Counters>;

/** Identifies a currency: an ISO 4217 code, the beginning of a symbol if the code is unknown, or "" if both are. */
export type CurrencyName = string;

/** Long enough for every symbol, and short because it is part of keys. */
const longestCurrencyName = 16;

export function currencyName(text: string | null): CurrencyName {
  return [...(text ?? "")].slice(0, longestCurrencyName).join("");
}

export function currencyOf(fields: { currency: string | null; currency_symbol: string | null }): CurrencyName {
  return currencyName(fields.currency) || currencyName(fields.currency_symbol);
}

export function countersIn(counters: Counters): [CounterName, number][] {
  return counterNames.flatMap((name): [CounterName, number][] => {
    const { [name]: value = 0 } = counters;
    return value === 0 ? [] : [[name, value]];
  });
}
