import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { importRecords, openInput } from "../../../cli/import/importFile.ts";
import { type Line, unpacked } from "../../../functions/feed/readLines.ts";
import type { Writer } from "../../../functions/feed/tableWriter.ts";
import { eventRecord } from "../../support/data/records.ts";

let directory = "";
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "ticketing-import-"));
});
afterAll(() => rm(directory, { recursive: true }));

const io = { stdin: Readable.from([]), signal: new AbortController().signal };

async function fileOf(bytes: Buffer | string, name = "input"): Promise<string> {
  const file = join(directory, name);
  await writeFile(file, bytes);
  return file;
}

const read = async (file: string) => Buffer.concat(await Readable.from(await openInput(file, io)).toArray()).toString();

test("plain and gzip files are recognised by their bytes, not their names", async () => {
  const text = "one\ntwo\n".repeat(50_000);
  for (const bytes of [Buffer.from(text), gzipSync(text)]) {
    for (const name of ["records.ndjson", "records.ndjson.gz"]) {
      const file = await fileOf(bytes, name);
      assert.equal(await read(file), text);
    }
  }
});

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

test("records are passed on in line order, then the writer finishes", async () => {
  const { notes, writer } = notingWriter();
  const bad: unknown[] = [];
  async function* lines() {
    yield* [line(1), { number: 2, text: "{" }, line(3), { number: 4, problem: "Not UTF-8 text." }];
  }
  await importRecords(lines(), writer, (...line) => bad.push(line), new AbortController().signal);
  assert.deepEqual(notes, [1, 3, "finish", "settle"]);
  assert.deepEqual(bad, [
    [2, "Not JSON at character 2."],
    [4, "Not UTF-8 text."],
  ]);
});

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

test("a reader that stops after the first bytes closes the source", async () => {
  let isClosed = false;
  async function* source() {
    try {
      yield Buffer.from("abc");
      yield Buffer.from("def");
    } finally {
      isClosed = true;
    }
  }
  for await (const _ of unpacked(source)) break;
  assert.ok(isClosed);
});
