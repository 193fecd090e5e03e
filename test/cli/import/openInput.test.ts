import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, test } from "@jest/globals";
import { openInput } from "../../../cli/import/importFile.ts";

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

async function read(file: string) {
  const input = await openInput(file, io);
  const text = Buffer.concat(await Readable.from(input.chunks).toArray()).toString();
  return { text, bytesRead: input.bytesRead(), totalBytes: input.totalBytes };
}

test("plain and gzip files are recognised by their bytes, not their names", async () => {
  const text = "one\ntwo\n".repeat(50_000);
  for (const bytes of [Buffer.from(text), gzipSync(text)]) {
    for (const name of ["records.ndjson", "records.ndjson.gz"]) {
      const file = await fileOf(bytes, name);
      assert.deepEqual(await read(file), { text, bytesRead: bytes.length, totalBytes: bytes.length });
    }
  }
});

test("files of zero, one and two bytes are read unchanged", async () => {
  for (const text of ["", "\x1f", "ab"]) assert.equal((await read(await fileOf(text))).text, text);
});

test("concatenated gzip files are read as one", async () => {
  const file = await fileOf(Buffer.concat([gzipSync("one\n"), gzipSync("two\n")]));
  assert.equal((await read(file)).text, "one\ntwo\n");
});

test("a cut-short gzip file yields its readable part, then a clear error", async () => {
  const text = Array.from({ length: 20_000 }, (_, index) => `line ${index * 7919}\n`).join("");
  const packed = gzipSync(text);
  const file = await fileOf(packed.subarray(0, packed.length - 100));
  const { chunks } = await openInput(file, io);
  let start = "";
  const reading = (async () => {
    for await (const chunk of chunks) start += chunk;
  })();
  await assert.rejects(reading, { name: "UsageError", message: `${file} is gzip that is cut short.` });
  assert.ok(start.length > text.length / 2 && text.startsWith(start));
});

test("damaged gzip is a clear error", async () => {
  const packed = gzipSync("line\n".repeat(1000));
  packed.fill(0xff, 20, 30);
  const file = await fileOf(packed);
  await assert.rejects(read(file), { name: "UsageError", message: /is damaged gzip \(.+\)\.$/ });
});

test("a missing file and a directory are clear errors", async () => {
  const missing = join(directory, "missing");
  const message = `Cannot read ${missing}: no such file.`;
  await assert.rejects(openInput(missing, io), { name: "UsageError", message });
  await assert.rejects(openInput(directory, io), {
    name: "UsageError",
    message: `Cannot read ${directory}: it is a directory.`,
  });
});
