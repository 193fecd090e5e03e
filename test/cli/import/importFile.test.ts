import assert from "node:assert/strict";
import { expect, test } from "@jest/globals";
import { importRecords } from "../../../cli/import/importFile.ts";
import type { Line } from "../../../functions/feed/readLines.ts";
import type { Writer } from "../../../functions/feed/tableWriter.ts";
import { eventRecord } from "../../support/data/records.ts";

/** A writer that records its calls. */
function notingWriter() {
  const notes: unknown[] = [];
  const note = (what: unknown) => async () => void notes.push(what);
  const counts = { new: 0, changed: 0, unchanged: 0, older: 0 };
  const writer: Writer = { counts, add: (item) => note(item.id)(), finish: note("finish"), settle: note("settle") };
  return { notes, writer };
}

const line = (id: number): Line => ({ number: id, text: JSON.stringify(eventRecord(1, id)) });
const noBadLine = () => assert.fail("A line is bad.");

test("after an interruption, writes in flight are awaited and no others start", async () => {
  const { notes, writer } = notingWriter();
  const interruption = new AbortController();
  async function* lines() {
    yield* [line(1), line(2)];
    interruption.abort();
    yield* [line(3), line(4)];
  }
  await importRecords(lines(), writer, noBadLine, interruption.signal);
  assert.deepEqual(notes, [1, 2, "settle"]);
});

test("if the input fails, writes in flight are awaited", async () => {
  const { notes, writer } = notingWriter();
  const failure = new Error("The input is damaged.");
  async function* lines() {
    yield line(1);
    throw failure;
  }
  await expect(importRecords(lines(), writer, noBadLine, new AbortController().signal)).rejects.toBe(failure);
  assert.deepEqual(notes, [1, "settle"]);
});
