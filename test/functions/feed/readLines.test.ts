import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { test } from "@jest/globals";
import fc from "fast-check";
import { gzipProblem, readLines, unpacked } from "../../../functions/feed/readLines.ts";
import { cases } from "../../support/jest/cases.ts";

/** Reads the bytes in chunks, whose lengths repeat. */
function source(bytes: Buffer, lengths: number[]) {
  return async function* read(startByte: number): AsyncGenerator<Buffer> {
    for (let start = startByte, index = 0; start < bytes.length; index++) {
      const end = start + (lengths[index % lengths.length] ?? bytes.length);
      yield bytes.subarray(start, end);
      start = end;
    }
  };
}

async function contentOf(bytes: Buffer, lengths: number[], startByte = 0): Promise<Buffer> {
  return Buffer.concat(await Readable.from(unpacked(source(bytes, lengths), startByte)).toArray());
}

/** The line numbers and texts of a file, with false for bad lines. */
async function linesOf(bytes: Buffer) {
  const lines: unknown[] = [];
  for await (const line of readLines(unpacked(source(bytes, [3]))))
    lines.push([line.number, "text" in line && line.text]);
  return lines;
}

const zeros = (count: number) => Buffer.alloc(count);
const packedText = gzipSync("one\n");
const withBytes = (at: number, ...values: number[]) => {
  const bytes = Buffer.from(packedText);
  bytes.set(values, bytes.length + at);
  return bytes;
};

const content = fc.oneof(fc.uint8Array({ maxLength: 50 }), fc.integer({ max: 200_000, min: 0 }).map(zeros));
const padding = fc.oneof(fc.constant(0), fc.nat(5), fc.nat(70_000)).map(zeros);
const member = fc.tuple(content, padding);
const members = fc.array(member, { minLength: 1, maxLength: 5 });
const lengths = fc.oneof(
  fc.constant<number[]>([64 * 1024]),
  fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 5 }),
);
const packed = (all: [Uint8Array, Buffer][]) =>
  Buffer.concat(all.flatMap(([bytes, zeros]) => [gzipSync(bytes), zeros]));
const numRuns = cases(60, 1_000);

test("gzip members, with zeros between and after them, yield all of their content from any position on", async () => {
  const property = fc.asyncProperty(members, lengths, fc.nat(), async (all, lengths, position) => {
    const whole = Buffer.concat(all.map(([bytes]) => bytes));
    const startByte = position % (whole.length + 1);
    assert.ok(whole.equals(await contentOf(packed(all), lengths)));
    assert.ok(whole.subarray(startByte).equals(await contentOf(packed(all), lengths, startByte)));
  });
  await fc.assert(property, { numRuns });
});

test("anything else after a member is an error", async () => {
  const badMembers = [
    ...[1, 2, 10, packedText.length - 1].map((length) => packedText.subarray(0, length)),
    withBytes(-8, 1),
    withBytes(-4, 1),
    ...["x", "three\n", "\x1f", "\x1f\x8b", "\x1f\x8b\x07\x01", "\x01\0\0"].map((text) => Buffer.from(text, "latin1")),
  ];
  const property = fc.asyncProperty(
    members,
    fc.constantFrom(...badMembers),
    fc.option(members),
    lengths,
    async (before, bad, after, lengths) => {
      const rest = after ? [packed(after)] : [];
      await assert.rejects(contentOf(Buffer.concat([packed(before), bad, ...rest]), lengths), (error) => {
        return /^(truncated gzip|damaged gzip \(.+\))$/.test(gzipProblem(error) ?? "");
      });
    },
  );
  await fc.assert(property, { numRuns });
});

test("an empty member and a truncated one differ", async () => {
  const empty = gzipSync("");
  assert.equal((await contentOf(empty, [5])).length, 0);
  for (const length of [2, 10, empty.length - 1]) {
    await assert.rejects(contentOf(empty.subarray(0, length), [5]), { code: "Z_BUF_ERROR" });
  }
});

const utf16 = Buffer.from("ab\nc\n", "utf16le");
const files: Record<string, [Buffer | string, ...unknown[]]> = {
  "only padding": ["\0\0\0", [1, "\0\0\0"]],
  "padding at the end": ["a\n\0", [1, "a"], [2, "\0"]],
  "lone carriage returns": ["a\rb\r", [1, "a\rb"]],
  "blank lines": ["a\r\n\r\n \nb", [1, "a"], [4, "b"]],
  "several byte order marks": ["\ufeffa\n\ufeffb\nc\ufeffd", [1, "a"], [2, "b"], [3, "c\ufeffd"]],
  "gzip after text": [Buffer.concat([Buffer.from("a\n"), packedText]), [1, "a"], [2, false]],
  "gzip in gzip": [gzipSync(packedText), [1, false]],
  "UTF-16": [utf16, [1, "a\0b\0"], [2, "\0c\0"], [3, "\0"]],
  "big-endian UTF-16": [Buffer.from(utf16).swap16(), [1, "\0a\0b\0"], [2, "\0c\0"]],
  "UTF-16 with its mark": [Buffer.from("\ufeffab\n", "utf16le"), [1, false], [2, "\0"]],
};

test.each(Object.keys(files))(
  "each line of a file with %s is read with its number, unless it is blank",
  async (name) => {
    const [file = "", ...lines] = files[name] ?? [];
    assert.deepEqual(await linesOf(Buffer.from(file as string)), lines);
  },
);

test("text that begins like gzip is an error", async () => {
  await assert.rejects(linesOf(Buffer.from("\x1f\x8b\na", "latin1")), { code: "Z_DATA_ERROR" });
});

test("a slow reader of gzip holds the source back, and one that stops closes it", async () => {
  let isClosed = false;
  const text = Buffer.from(Array.from({ length: 100_000 }, (_, index) => `${index * 7919}`).join());
  const bytes = Buffer.concat([gzipSync(text), zeros(9), gzipSync(text), gzipSync(text)]);
  const chunkBytes = 4_096;
  let given = 0;
  async function* counted() {
    try {
      for await (const chunk of source(bytes, [chunkBytes])(0)) {
        given += chunk.length;
        yield chunk;
      }
    } finally {
      isClosed = true;
    }
  }
  let unpackedBytes = 0;
  for await (const chunk of unpacked(counted)) {
    unpackedBytes += chunk.length;
    const ahead = given - (unpackedBytes / (3 * text.length)) * bytes.length;
    assert.ok(ahead < 200_000, `${ahead} bytes ahead`);
    for (let turns = 0; turns < 10; turns++) await turn();
    if (unpackedBytes > 2 * text.length) break;
  }
  await turn();
  assert.ok(isClosed);
});
