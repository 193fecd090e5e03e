import assert from "node:assert/strict";
import { test } from "@jest/globals";
import fc from "fast-check";
import { parseLine } from "../../../functions/feed/parseRecord.ts";
import { type Line, maximumLineBytes, readEveryLine, readLines } from "../../../functions/feed/readLines.ts";
import { recordItem } from "../../../functions/records/recordItem.ts";
import { recordTypes } from "../../../functions/resources/record.ts";
import { inChunks } from "../../cli/support/runProgram.ts";
import { categoryRecord, dateRecord, eventRecord } from "../../support/data/records.ts";
import { collect } from "../../support/http/client.ts";

const event = eventRecord(1, 2);
const parse = (value: unknown) => parseLine({ number: 1, text: JSON.stringify(value) });

test("a valid record becomes its item", () => {
  for (const record of [event, dateRecord(1, 2, 3), { ...categoryRecord(1, 2, 3), version: 4 }]) {
    assert.deepEqual(parse(record), { item: recordItem(record) });
  }
});

test("a problem names the field and the reason", () => {
  const { tag: _, ...withoutTag } = event.data as Record<string, unknown>;
  const cases: [unknown, string][] = [
    [
      { ...event, type: "concert" },
      `type: Invalid discriminator value. Expected ${recordTypes.map((type) => `'${type}'`).join(" | ")}`,
    ],
    [
      { ...event, organisation_id: 0 },
      "organisation_id: Too small: expected number to be >0; data.organisation_id: Must equal the record's organisation_id.",
    ],
    [{ ...event, version: -1 }, "version: Too small: expected number to be >=0"],
    [{ ...event, event_id: 1 }, "Unknown field event_id"],
    [{ ...event, data: withoutTag }, "data.tag: Invalid input: expected string, received undefined"],
    [{ ...event, data: { ...event.data, name: 7 } }, "data.name: Invalid input: expected string, received number"],
    [
      { ...event, data: { ...event.data, date_created: "soon" } },
      "data.date_created: Must be an ISO 8601 date, or date and time.",
    ],
    [{ ...event, data: { ...event.data, name: "\ud800" } }, "data.name: Contains a lone surrogate"],
    [
      { ...event, data: { ...event.data, description: "é".repeat(205_000) } },
      "Larger than the 399 KB limit of an item",
    ],
    [eventRecord(1, 2, { organisation_id: 3 }), "data.organisation_id: Must equal the record's organisation_id."],
    [[event], "Invalid input: expected object, received array"],
    ["text", "Invalid input: expected object, received string"],
  ];
  for (const [value, problem] of cases) assert.deepEqual(parse(value), { problem });
});

test("a line with many problems lists some of them and the number of the others", () => {
  const result = parse({ ...event, data: {} });
  assert.match("problem" in result ? result.problem : "", /^data\.id: .*; and 10 more$/);
});

test("text that is not JSON is a problem with its position and without a quotation", () => {
  assert.deepEqual(parseLine({ number: 1, text: '{"type":"event",secret}' }), { problem: "Not JSON at character 17." });
  assert.deepEqual(parseLine({ number: 1, text: "secret" }), { problem: "Not JSON." });
});

test("a line with more values than any record has is rejected before it is parsed, regardless of its texts", () => {
  const tooMany = { problem: "More than 50,000 JSON values." };
  for (const values of [`${"{},".repeat(50_000)}{}`, "[".repeat(100_001), `${"{},".repeat(1_000_000)}{}`]) {
    assert.deepEqual(parseLine({ number: 1, text: `[${values}]` }), tooMany);
  }
  const described = eventRecord(1, 2, { description: '",[{\\'.repeat(70_000) });
  assert.deepEqual(parse(described), { item: recordItem(described) });
});

test("no problem ever shows a value", () => {
  const secret = "jane.doe@example.com";
  const place = fc.constantFrom(...Object.keys(event.data), "type", "version", "organisation_id", "data", secret);
  const value = fc.constantFrom<unknown>(secret, [secret], { [secret]: secret }, { name: secret });
  const spoil = fc.tuple(place, value, fc.boolean());
  fc.assert(
    fc.property(fc.array(spoil, { minLength: 1, maxLength: 5 }), (spoiled) => {
      const inside = spoiled.filter(([, , isInside]) => isInside).map(([name, bad]) => [name, bad]);
      const outside = spoiled.filter(([, , isInside]) => !isInside).map(([name, bad]) => [name, bad]);
      const data = { ...event.data, ...Object.fromEntries(inside) };
      const text = JSON.stringify({ ...event, data, ...Object.fromEntries(outside) });
      for (const line of [text, text.slice(0, -1), text.replace(secret, `${secret}"`)]) {
        const result = parseLine({ number: 1, text: line });
        assert.ok(!("problem" in result && result.problem.includes("jane")), JSON.stringify(result));
      }
    }),
    { numRuns: 500 },
  );
});

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
