/** Choices that look like chance and are the same at every start, on every machine. */
export interface Chance {
  /** From 0 to below 1. */
  fraction: () => number;
  /** A whole number from 0 to below `end`. */
  below: (end: number) => number;
  happens: (probability: number) => boolean;
  pick: <Item>(items: readonly Item[]) => Item;
  /** Picks each item as often as its weight says, compared with the others'. */
  pickWeighted: <Item>(items: readonly Item[], weightOf: (item: Item) => number) => Item;
}

/** Equal seeds give equal choices in equal order. */
export function chanceFrom(seed: number): Chance {
  let state = seed;
  // A counter in steps that visit every 32-bit number, each then mixed by the last step of MurmurHash3.
  const fraction = () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
  const pickWeighted: Chance["pickWeighted"] = (items, weightOf) => {
    let rest = fraction() * items.reduce((sum, item) => sum + weightOf(item), 0);
    for (const item of items) {
      rest -= weightOf(item);
      if (rest < 0) return item;
    }
    throw new RangeError("There is nothing to pick from.");
  };
  return {
    fraction,
    below: (end) => Math.floor(fraction() * end),
    happens: (probability) => fraction() < probability,
    pick: (items) => pickWeighted(items, () => 1),
    pickWeighted,
  };
}
