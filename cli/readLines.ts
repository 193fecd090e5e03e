import { isUtf8 } from "node:buffer";

/**
 * The longest line that is read, in bytes. A record is stored in at most 400 KB, which is 2.4 MB where JSON escapes every
 * character; so a longer line cannot be one, and is not kept in memory.
 */
export const maximumLineBytes = 4 * 1024 * 1024;

const newline = 0x0a;

/** One line of the input, by its number from 1. */
export type Line = { number: number; text: string } | { number: number; problem: string };

/** The lines of UTF-8 text, without their ends (LF or CRLF), a byte order mark, and those that are blank. */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let length = 0;
  let number = 0;

  function keep(part: Buffer): void {
    length += part.length;
    if (length > maximumLineBytes) parts = [];
    else parts.push(part);
  }

  function take(): Line | undefined {
    number += 1;
    const line = length > maximumLineBytes ? tooLong(number) : decode(number, Buffer.concat(parts));
    parts = [];
    length = 0;
    return "text" in line && line.text === "" ? undefined : line;
  }

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      keep(chunk.subarray(start, end));
      const line = take();
      if (line) yield line;
      start = end + 1;
    }
    keep(chunk.subarray(start));
  }
  const last = take();
  if (last) yield last;
}

function decode(number: number, bytes: Buffer): Line {
  if (!isUtf8(bytes)) return { number, problem: "Not UTF-8 text." };
  // A byte order mark counts as white space.
  return { number, text: bytes.toString().trim() };
}

function tooLong(number: number): Line {
  return { number, problem: `Longer than ${maximumLineBytes / 1024 / 1024} MB.` };
}
