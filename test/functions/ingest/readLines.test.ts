import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import fc from "fast-check";
import { type Line, maximumLineBytes, readEveryLine, readLines } from "../../../functions/ingest/readLines.ts";
import { inChunks } from "../../cli/support/lines.ts";
import { collect } from "../../support/collect.ts";

async function linesOf(bytes: Buffer | string, chunkBytes?: number): Promise<Line[]> {
  return Readable.from(readLines(inChunks(Buffer.from(bytes), chunkBytes))).toArray();
}

test("lines are the same however the bytes are cut, with LF or CRLF, a byte order mark, and no last line end", async () => {
  const text = fc
    .string({ unit: "grapheme" })
    .filter((line) => !/[\r\n]/.test(line) && line === line.trim() && line !== "");
  const options = {
    lineEnd: fc.constantFrom("\n", "\r\n"),
    start: fc.constantFrom("", "\uFEFF"),
    isEnded: fc.boolean(),
  };
  await fc.assert(
    fc.asyncProperty(fc.array(text), fc.record(options), fc.integer({ min: 1, max: 40 }), async (texts, form, size) => {
      const whole = form.start + texts.join(form.lineEnd) + (form.isEnded ? form.lineEnd : "");
      const expected = texts.map((line, index) => ({ number: index + 1, text: line }));
      assert.deepEqual(await linesOf(whole, size), expected);
    }),
  );
});

test("blank lines are left out and count as lines", async () => {
  assert.deepEqual(await linesOf("\n  \na\n\t\r\n\r\nb\n\n"), [
    { number: 3, text: "a" },
    { number: 6, text: "b" },
  ]);
});

test("an empty input, a byte order mark alone, and line ends alone have no lines", async () => {
  for (const nothing of ["", "\uFEFF", "\n", "\r\n\r\n"]) assert.deepEqual(await linesOf(nothing), []);
});

test("a line that is not UTF-8 is a problem of that line alone", async () => {
  const bytes = Buffer.concat([Buffer.from("a\n"), Buffer.from([0xc3, 0x28]), Buffer.from("\nb\n")]);
  assert.deepEqual(await linesOf(bytes), [
    { number: 1, text: "a" },
    { number: 2, problem: "Not UTF-8 text." },
    { number: 3, text: "b" },
  ]);
});

test("a line of the greatest length is read; one longer, of 20 MB too, is a problem of that line alone", async () => {
  const longest = "x".repeat(maximumLineBytes);
  assert.deepEqual(await linesOf(`${longest}\n${longest}x\nb\n${"y".repeat(20_000_000)}`), [
    { number: 1, text: longest },
    { number: 2, problem: "Longer than 4 MB." },
    { number: 3, text: "b" },
    { number: 4, problem: "Longer than 4 MB." },
  ]);
});

test("from the end of any line on, the lines that are left are read with the same numbers and places, the blank ones too", async () => {
  const bytes = Buffer.from("\uFEFF\r\nä\n\n \t\nb\r\n\n€");
  const all = await collect(readEveryLine(inChunks(bytes)));
  assert.deepEqual(
    all.map(({ line, endByte }) => ["text" in line && line.text, endByte]),
    [
      ["", 5],
      ["ä", 8],
      ["", 9],
      ["", 12],
      ["b", 15],
      ["", 16],
      ["€", 19],
    ],
  );
  for (const [index, { line, endByte }] of all.entries()) {
    const left = readEveryLine(inChunks(bytes.subarray(endByte), 1), { lines: line.number, bytes: endByte });
    assert.deepEqual(await collect(left), all.slice(index + 1));
  }
});
