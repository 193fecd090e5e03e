import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { readMutants, root, withBug } from "./mutants.ts";

test("each listed bug has a name of its own, is in its area, and can be injected", () => {
  const areas = Object.entries(readMutants());
  const ids = areas.flatMap(([, mutants]) => mutants.map(({ id }) => id));
  expect(ids.length).toBeGreaterThan(0);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [area, mutants] of areas) {
    for (const mutant of mutants) {
      expect(mutant.file.split("/")[0]).toBe(area);
      const original = readFileSync(join(root, mutant.file), "utf8");
      expect(withBug(mutant, original)).not.toBe(original);
    }
  }
});
