import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { openReport } from "../../../functions/feed/importObject.ts";
import { goodLines, key, reportKey, savedReport, store, textOf } from "./support/importRuns.ts";

test("a report is saved only if nobody else has saved it since it was opened, whether it existed or not", async () => {
  const object = store.put(key, textOf(goodLines(1)));
  for (const round of [1, 2]) {
    const [mine, others] = [await openReport(object, reportKey), await openReport(object, reportKey)];
    others.report.lines_read = round;
    await others.save();
    await assert.rejects(mine.save(), { name: "PreconditionFailed" });
    assert.equal(savedReport().lines_read, round);
    others.report.lines_read = 10 * round;
    await others.save();
    assert.equal(savedReport().lines_read, 10 * round);
  }
});
