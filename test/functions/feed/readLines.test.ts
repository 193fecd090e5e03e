import assert from "node:assert/strict";
import { test } from "@jest/globals";
import fc from "fast-check";
import { type Line, maximumLineBytes, readEveryLine, readLines } from "../../../functions/feed/readLines.ts";
import { inChunks } from "../../cli/support/lines.ts";
import { collect } from "../../support/http/collect.ts";

async function linesOf(bytes: Buffer | string, chunkBytes?: number): Promise<Line[]> {
  return collect(readLines(inChunks(Buffer.from(bytes), chunkBytes)));
}

test("lines are the same for any chunks, with LF or CRLF, a byte order mark, and a missing last line end", async () => {
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

test("blank lines are left out but counted", async () => {
  assert.deepEqual(await linesOf("\n  \na\n\t\r\n\r\nb\n\n"), [
    { number: 3, text: "a" },
    { number: 6, text: "b" },
  ]);
});

test("an empty input, only a byte order mark, and only line ends have no lines", async () => {
  for (const nothing of ["", "\uFEFF", "\n", "\r\n\r\n"]) assert.deepEqual(await linesOf(nothing), []);
});

test("invalid UTF-8 is a problem of its line alone", async () => {
  const bytes = Buffer.concat([Buffer.from("a\n"), Buffer.from([0xc3, 0x28]), Buffer.from("\nb\n")]);
  assert.deepEqual(await linesOf(bytes), [
    { number: 1, text: "a" },
    { number: 2, problem: "Not UTF-8 text." },
    { number: 3, text: "b" },
  ]);
});

test("a line of the maximum length is read, and a longer one, even of 20 MB, is a problem of that line alone", async () => {
  const longest = "x".repeat(maximumLineBytes);
  assert.deepEqual(await linesOf(`${longest}\n${longest}x\nb\n${"y".repeat(20_000_000)}`), [
    { number: 1, text: longest },
    { number: 2, problem: "Longer than 4 MB." },
    { number: 3, text: "b" },
    { number: 4, problem: "Longer than 4 MB." },
  ]);
});

test("reading can continue after any line, with the same line numbers and positions, including blank lines", async () => {
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
