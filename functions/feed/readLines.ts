import { isUtf8 } from "node:buffer";
import { promisify } from "node:util";
import { createGunzip } from "node:zlib";

/** Longer lines are rejected, not kept in memory. A stored record has at most 400 KB, which is 2.4 MB if JSON escapes every character. */
export const maximumLineBytes = 4 * 1024 * 1024;

const newline = 0x0a;

/** One line of the input. Numbers begin at 1. */
export type Line = { number: number; text: string } | { number: number; problem: string };

/** A line, and the number of bytes up to and including its line end. */
interface PlacedLine {
  line: Line;
  endByte: number;
}

/** The lines of UTF-8 text, without blank lines, line ends (LF or CRLF) or a byte order mark. */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  for await (const { line } of readEveryLine(chunks)) if (!isBlank(line)) yield line;
}

export function isBlank(line: Line): boolean {
  return "text" in line && line.text === "";
}

/**
 * All lines, including blank ones, with their places. An empty rest after the last line end is not a line.
 * @param before the lines and bytes that precede the chunks, if the chunks begin in the middle of the input.
 */
export async function* readEveryLine(
  chunks: AsyncIterable<Buffer>,
  before = { lines: 0, bytes: 0 },
): AsyncGenerator<PlacedLine> {
  let parts: Buffer[] = [];
  let length = 0;
  let number = before.lines;
  let chunkByte = before.bytes;

  function keep(part: Buffer): void {
    length += part.length;
    if (length > maximumLineBytes) parts = [];
    else parts.push(part);
  }

  function take(endByte: number): PlacedLine {
    number += 1;
    const line = length > maximumLineBytes ? tooLong(number) : decode(number, Buffer.concat(parts));
    parts = [];
    length = 0;
    return { line, endByte };
  }

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      keep(chunk.subarray(start, end));
      start = end + 1;
      yield take(chunkByte + start);
    }
    keep(chunk.subarray(start));
    chunkByte += chunk.length;
  }
  if (length > 0) yield take(chunkByte);
}

function decode(number: number, bytes: Buffer): Line {
  if (!isUtf8(bytes)) return { number, problem: "Not UTF-8 text." };
  // This also removes a byte order mark.
  return { number, text: bytes.toString().trim() };
}

function tooLong(number: number): Line {
  return { number, problem: `Longer than ${maximumLineBytes / 1024 / 1024} MB.` };
}

/**
 * Unpacks gzip, and returns other input unchanged. The first two bytes identify gzip, regardless of the file's name.
 * @param read reads from the given byte on. Plain input is read from `startByte`. Gzip must be read from its first byte; skipping the
 * unpacked bytes before `startByte` takes about four seconds of processor time per GB.
 * @param startByte counts unpacked bytes.
 */
export async function* unpacked(
  read: (startByte: number) => AsyncGenerator<Buffer>,
  startByte = 0,
): AsyncGenerator<Buffer> {
  const chunks = read(0);
  let head = Buffer.alloc(0);
  while (head.length < 2) {
    const { value, done } = await chunks.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  async function* whole() {
    try {
      yield head;
      yield* chunks;
    } finally {
      // Also closes the source for a reader that stops within the head.
      await chunks.return(undefined);
    }
  }
  if (head[0] === 0x1f && head[1] === 0x8b) return yield* from(startByte, gunzipped(whole()));
  if (startByte === 0) return yield* whole();
  await chunks.return(undefined);
  yield* read(startByte);
}

export function gzipProblem(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error)) return undefined;
  if (error.code === "Z_BUF_ERROR") return "truncated gzip";
  return error.code === "Z_DATA_ERROR" ? `damaged gzip (${error.message})` : undefined;
}

/** Unpacks gzip. Skips zero padding between members: Node's Gunzip stops there and silently drops the rest. */
async function* gunzipped(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    let rest: Buffer = Buffer.alloc(0);
    for (;;) {
      const start = rest.findIndex((byte) => byte !== 0);
      if (start >= 0) {
        rest = yield* gunzippedToPadding(rest.subarray(start), chunks);
      } else {
        const { value, done } = await chunks.next();
        if (done) return;
        rest = value;
      }
    }
  } finally {
    // Not awaited, because the source may still wait for input.
    void chunks.return(undefined);
  }
}

/** @returns the part of the last chunk that was not unpacked. */
async function* gunzippedToPadding(first: Buffer, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer, Buffer> {
  const gunzip = createGunzip();
  const write = promisify<Buffer, void>(gunzip.write.bind(gunzip));
  let chunk = first;
  let chunkEnd = first.length;
  async function give(): Promise<void> {
    for (;;) {
      await write(chunk);
      const hasEnded = gunzip.bytesWritten < chunkEnd;
      if (hasEnded) return;
      const { value, done } = await chunks.next();
      if (done) return void gunzip.end();
      chunk = value;
      chunkEnd += chunk.length;
    }
  }
  give().catch((error) => gunzip.destroy(error));
  yield* gunzip;
  return chunk.subarray(chunk.length - (chunkEnd - gunzip.bytesWritten));
}

async function* from(startByte: number, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let nextByte = 0;
  for await (const chunk of chunks) {
    const left = chunk.subarray(Math.max(0, startByte - nextByte));
    nextByte += chunk.length;
    if (left.length > 0) yield left;
  }
}
