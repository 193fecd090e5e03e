import { randomInt } from "node:crypto";

/** The items in a random order. */
export function shuffled<Item>(items: readonly Item[]): Item[] {
  const mixed = [...items];
  for (let index = mixed.length - 1; index > 0; index--) {
    const other = randomInt(index + 1);
    [mixed[index], mixed[other]] = [mixed[other] as Item, mixed[index] as Item];
  }
  return mixed;
}
