import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/**
 * Unpacks gzip, and returns other input unchanged. The first two bytes identify gzip, regardless of the file's name.
 *
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
    yield head;
    yield* chunks;
  }
  if (head[0] === 0x1f && head[1] === 0x8b) return yield* from(startByte, gunzipped(whole()));
  if (startByte === 0) return yield* whole();
  await chunks.return(undefined);
  yield* read(startByte);
}

/** Describes a gzip error; undefined for other errors. */
export function gzipProblem(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error)) return undefined;
  if (error.code === "Z_BUF_ERROR") return "gzip that is cut short";
  return String(error.code).startsWith("Z_") ? `damaged gzip (${error.message})` : undefined;
}

async function* gunzipped(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  // The pipeline passes errors of either stream to the reader of `gunzip`.
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
