import assert from "node:assert/strict";
import { test } from "node:test";
import { importRecords } from "../../../cli/import/importRecords.ts";
import type { Line } from "../../../functions/ingest/readLines.ts";
import type { Writer } from "../../../functions/ingest/tableWriter.ts";
import { eventRecord } from "../../support/records.ts";

/** A writer that notes what is asked of it. */
function notingWriter() {
  const notes: unknown[] = [];
  const note = (what: unknown) => async () => void notes.push(what);
  const writer: Writer = { add: (item) => note(item.id)(), finish: note("finish"), settle: note("settle") };
  return { notes, writer };
}

const line = (id: number): Line => ({ number: id, text: JSON.stringify(eventRecord(1, id)) });
const noBadLine = () => assert.fail("No line is bad.");

test("records are handed on in the order of the lines, then finished", async () => {
  const { notes, writer } = notingWriter();
  const bad: unknown[] = [];
  async function* lines() {
    yield* [line(1), { number: 2, text: "{" }, line(3), { number: 4, problem: "Not UTF-8 text." }];
  }
  await importRecords(lines(), writer, (...told) => bad.push(told), new AbortController().signal);
  assert.deepEqual(notes, [1, 3, "finish", "settle"]);
  assert.deepEqual(bad, [
    [2, "Not JSON at character 2."],
    [4, "Not UTF-8 text."],
  ]);
});

test("after an interruption nothing more is written, and what is under way is waited for", async () => {
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

test("where the input fails, what is under way is waited for", async () => {
  const { notes, writer } = notingWriter();
  const failure = new Error("The input is damaged.");
  async function* lines() {
    yield line(1);
    throw failure;
  }
  await assert.rejects(importRecords(lines(), writer, noBadLine, new AbortController().signal), failure);
  assert.deepEqual(notes, [1, "settle"]);
});
