import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/**
 * What is read, unpacked where it is gzip: this is known by its first two bytes, whatever its name.
 *
 * @param read reads from a byte on: plain input is read from `startByte`. Gzip cannot be entered in its middle; it is read from its
 * first byte, and what it unpacks to before `startByte` is left out, which takes a processor some four seconds for each GB of that.
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
    yield head;
    yield* chunks;
  }
  if (head[0] === 0x1f && head[1] === 0x8b) return yield* from(startByte, gunzipped(whole()));
  if (startByte === 0) return yield* whole();
  await chunks.return(undefined);
  yield* read(startByte);
}

/** What is wrong with the gzip that was read; undefined where the error is about something else. */
export function gzipProblem(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error)) return undefined;
  if (error.code === "Z_BUF_ERROR") return "gzip that is cut short";
  return String(error.code).startsWith("Z_") ? `damaged gzip (${error.message})` : undefined;
}

async function* gunzipped(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  // What goes wrong on either side is thrown to the reader of the other.
  pipeline(Readable.from(chunks), gunzip, () => undefined);
  yield* gunzip;
}

async function* from(startByte: number, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let nextByte = 0;
  for await (const chunk of chunks) {
    const left = chunk.subarray(Math.max(0, startByte - nextByte));
    nextByte += chunk.length;
    if (left.length > 0) yield left;
  }
}
