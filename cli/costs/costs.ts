import * as z from "zod";
import { command, flag, type Io } from "../shared/command.ts";
import { monthOf } from "./monthlyCosts.ts";

const usage = `npm run ops -- costs --organisations N [--requests R] [--keys K] [--items I] [--records P] [--webhooks W] [--messages M]
                     [--time-outs T] [--together]
  --organisations N   with API keys in use
  --requests R        of all organisations, a second; 0.3 for each by default
  --keys K            in use, of each organisation; 1 by default
  --items I           stored, of each organisation; 200,000 by default
  --records P         of the feed, for each request; 0.2 by default
  --webhooks W        of each organisation; none by default
  --messages M        to each organisation's webhooks in a month; none by default
  --time-outs T       of each organisation's receivers in a month; none by default
  --together          messages share batches of a hundred; by default each is alone, which costs most

Estimates what a stage costs in a month, from the list prices of docs/operators/cost.md, without free tiers, taxes and discounts.
It calls nothing on AWS. Exit codes: 0 done, 2 failed, 130 interrupted.`;

const amount = (option: string) => z.coerce.number(`${option} must be a number.`).nonnegative(`${option} is negative.`);

const Options = z.object({
  organisations: z.coerce
    .number("--organisations must be a number.")
    .int("--organisations must be a whole number.")
    .positive("--organisations must be positive."),
  requests: amount("--requests").optional(),
  keys: amount("--keys").default(1),
  items: amount("--items").default(200_000),
  records: amount("--records").default(0.2),
  webhooks: amount("--webhooks").default(0),
  messages: amount("--messages").default(0),
  "time-outs": amount("--time-outs").default(0),
  together: flag,
});

async function run(options: z.infer<typeof Options>, { stdout }: Io): Promise<number> {
  const { organisations, requests = 0.3 * organisations } = options;
  const lines = monthOf({ ...options, requests }).filter(([, , quantity]) => quantity > 0);
  const total = lines.reduce((sum, [, price, quantity]) => sum + price * quantity, 0);
  const row = (...[name = "", ...numbers]: string[]) =>
    `${name.padEnd(28)}${numbers.map((number) => number.padStart(14)).join("")}\n`;
  stdout.write(row(`Requests a second: ${inDigits(requests)}`, "quantity", "price", "US$"));
  for (const [name, price, quantity] of lines)
    stdout.write(row(name, inDigits(quantity), price.toFixed(2), dollars(price * quantity)));
  stdout.write(row("a month", "", "", dollars(total)));
  return 0;
}

/** Four digits, or all digits of a whole number. */
function inDigits(quantity: number): string {
  return quantity < 1e3 ? String(Number(quantity.toPrecision(4))) : Math.round(quantity).toLocaleString("en");
}

function dollars(amount: number): string {
  return amount.toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

export const main = command({ usage, Options }, run);
