import { expect, test } from "@jest/globals";
import { cases, shareOf } from "./cases.ts";

test("subjects together try every case, each tries some, and with THOROUGH=1 each tries all", () => {
  for (const subjects of [["a"], ["a", "b", "c"], [..."abcdefghi"]]) {
    for (const all of [[1], [1, 2, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]]) {
      const shares = subjects.map((subject) => shareOf(all, subject, subjects));
      expect(new Set(shares.flat())).toEqual(new Set(all));
      for (const share of shares) expect(share.length).toBeGreaterThanOrEqual(cases(1, all.length));
    }
  }
});
