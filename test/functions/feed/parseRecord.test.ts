import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import fc from "fast-check";
import { parseLine } from "../../../functions/feed/parseRecord.ts";
import { type Line, maximumLineBytes, readEveryLine, readLines } from "../../../functions/feed/readLines.ts";
import { recordItem } from "../../../functions/records/recordItem.ts";
import { recordTypes } from "../../../functions/resources/record.ts";
import { inChunks } from "../../cli/support/runProgram.ts";
import { attendeeRecord, discountRecord, eventRecord, orderRecord, ticketRecord } from "../../support/data/records.ts";
import { collect } from "../../support/http/client.ts";

const event = eventRecord(1, 2);
const parse = (value: unknown) => parseLine({ number: 1, text: JSON.stringify(value) });

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
    [{ ...event, ["a".repeat(41)]: 1 }, "Unknown field"],
    [{ ...event, data: withoutTag }, "data.tag: Invalid input: expected string, received undefined"],
    [{ ...event, data: { ...event.data, name: 7 } }, "data.name: Invalid input: expected string, received number"],
    [
      { ...event, data: { ...event.data, date_created: "soon" } },
      "data.date_created: Must be a date, YYYY-MM-DD, or a date and time, YYYY-MM-DDThh:mm or YYYY-MM-DDThh:mm:ss, with Z, an offset such as +01:00, or neither.",
    ],
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
  const tooMany = { problem: "More than 140,000 JSON values." };
  for (const values of [`${"{},".repeat(140_000)}{}`, "[".repeat(280_001), `${"{},".repeat(1_000_000)}{}`]) {
    assert.deepEqual(parseLine({ number: 1, text: `[${values}]` }), tooMany);
  }
  const described = eventRecord(1, 2, { description: '",[{\\'.repeat(70_000) });
  assert.deepEqual(parse(described), { item: recordItem(described) });
});

describe("what parsing JSON would change or lose is refused with its place", () => {
  const attendee = JSON.stringify(attendeeRecord(1, 2, { answers: [{ question_id: 1, question: "Q", answer: "A" }] }));
  const problemOf = (find: string, replacement: string) => {
    assert.ok(attendee.includes(find), find);
    const parsed = parseLine({ number: 1, text: attendee.replace(find, replacement) });
    return "problem" in parsed ? parsed.problem : undefined;
  };
  const rounded = "Must have fewer digits: as an IEEE 754 number, it would be rounded.";

  test("a member that is given twice, in any spelling and at any depth", () => {
    const once = "May be given only once.";
    assert.equal(problemOf('"type":"attendee"', '"type":"attendee","type":"attendee"'), `type: ${once}`);
    assert.equal(problemOf('"status":', '"status":"","st\\u0061tus":'), `data.status: ${once}`);
    assert.equal(problemOf('"answer":"A"', '"answer":"A","answer" : "A"'), `data.answers.0.answer: ${once}`);
    assert.equal(problemOf('"status":', '"<b>Ada</b>":1,"<b>Ada</b>":1,"status":'), `data.…: ${once}`);
    assert.equal(problemOf('"answer":"A"', String.raw`"answer":"\"answer\":\"\\"`), undefined);
  });

  test("a number that would be rounded, and no other", () => {
    const discountWith = (percent: string) => {
      const text = JSON.stringify(discountRecord(1, 2, { percent: 1 })).replace('"percent":1', `"percent":${percent}`);
      const parsed = parseLine({ number: 1, text });
      return "problem" in parsed ? parsed.problem : undefined;
    };
    for (const exact of ["0.1", "12.50", "1E1", "100.0", "0", "-0", "33.3", "1e-7", "0.30000000000000004", "0.0010"])
      assert.equal(discountWith(exact), undefined, exact);
    for (const inexact of ["0.10000000000000001", "33.333333333333333333", "1e-400", "1E-400"])
      assert.equal(discountWith(inexact), `data.percent: ${rounded}`, inexact);
    for (const id of ["9007199254740991.4", "9007199254740993", "1e400"])
      assert.equal(problemOf('"id":2', `"id":${id}`), `data.id: ${rounded}`, id);
    assert.equal(problemOf('"id":2', '"id":9007199254740991'), undefined);
  });

  test("a lone surrogate and U+0000, in texts, lists and names", () => {
    const unicode = "Must be valid Unicode, without lone surrogates.";
    const zero = "Must not contain the character U+0000.";
    assert.equal(problemOf('"question":"Q"', '"question":"\\ud83c"'), `data.answers.0.question: ${unicode}`);
    assert.equal(problemOf('"answer":"A"', '"answer":"\\udfad\\ud83c"'), `data.answers.0.answer: ${unicode}`);
    assert.equal(problemOf('"answer":"A"', '"answer":"a\\u0000"'), `data.answers.0.answer: ${zero}`);
    assert.equal(problemOf('"status":"confirmed"', '"status":"\\u0000"'), `data.status: ${zero}`);
    assert.match(String(problemOf('"answer":"A"', '"answer":"A","\\u0000":1')), /U\+0000/);
    for (const valid of ["\\ud83c\\udfad", "\\\\u0000", "\\u0001", "🎭"])
      assert.equal(problemOf('"answer":"A"', `"answer":"${valid}"`), undefined, valid);
  });
});

test("texts for look-ups are refused if no query could find them", () => {
  const problemOf = (record: unknown) => {
    const parsed = parse(record);
    return "problem" in parsed ? parsed.problem : undefined;
  };
  const tooLong = "Must have at most 2,048 bytes in UTF-8, so that it can be looked up";
  const damaged = "Must not contain U+FFFD, which stands for a damaged character";
  for (const text of ["9".repeat(2_048), "é".repeat(1_024), " ", "a\nb", ""])
    for (const record of [ticketRecord(1, 1, { barcode: text }), orderRecord(1, 1, { reference: text, email: text })])
      assert.equal(problemOf(record), undefined);
  for (const [text, problem] of [
    ["9".repeat(2_049), tooLong],
    ["é".repeat(1_025), tooLong],
    ["J\ufffdrgen", damaged],
  ] as const) {
    assert.equal(problemOf(ticketRecord(1, 1, { barcode: text })), `data.barcode: ${problem}`);
    assert.equal(problemOf(orderRecord(1, 1, { reference: text })), `data.reference: ${problem}`);
    assert.equal(problemOf(orderRecord(1, 1, { email: text })), `data.email: ${problem}`);
    assert.equal(problemOf(attendeeRecord(1, 1, { email: text })), `data.email: ${problem}`);
    assert.equal(problemOf(orderRecord(1, 1, { admin_note: text })), undefined);
  }
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

test("invalid UTF-8 is a problem of its line alone", async () => {
  const bytes = Buffer.concat([Buffer.from("a\n"), Buffer.from([0xc3, 0x28]), Buffer.from("\nb\n")]);
  assert.deepEqual(await linesOf(bytes), [
    { number: 1, text: "a" },
    { number: 2, problem: "Not UTF-8 text." },
    { number: 3, text: "b" },
  ]);
});

test("a line of the maximum length is read, and a longer one is a problem of that line alone", async () => {
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
