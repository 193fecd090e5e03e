import { type FileHandle, open } from "node:fs/promises";
import { addAbortSignal } from "node:stream";
import { gzipProblem, unpacked } from "../../functions/feed/unpacked.ts";
import { UsageError } from "../../local/usageError.ts";
import type { Io } from "../shared/command.ts";

export interface Input {
  /** The unpacked bytes. */
  chunks: AsyncIterable<Buffer>;
  /** Bytes read from the file so far, before unpacking. */
  bytesRead: () => number;
  /** Undefined for standard input and pipes. */
  totalBytes: number | undefined;
}

/**
 * Opens a file, or standard input for `-`, plain or gzip. The first two bytes identify gzip.
 *
 * @param io its signal ends the reading, even while it waits for input.
 * @throws UsageError if the file cannot be read; `chunks` throws one if a gzip file is damaged or truncated.
 */
export async function openInput(file: string, { stdin, signal }: Pick<Io, "stdin" | "signal">): Promise<Input> {
  const { source, totalBytes } = file === "-" ? { source: stdin, totalBytes: undefined } : await openFile(file);
  addAbortSignal(signal, source);
  let bytesRead = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      bytesRead += chunk.length;
      yield chunk;
    }
  }
  return { chunks: explained(file, unpacked(counted)), bytesRead: () => bytesRead, totalBytes };
}

async function openFile(file: string) {
  let handle: FileHandle;
  try {
    handle = await open(file);
  } catch (error) {
    throw unreadable(file, error);
  }
  const stat = await handle.stat();
  if (stat.isDirectory()) {
    await handle.close();
    throw new UsageError(`Cannot read ${file}: it is a directory.`);
  }
  return { source: handle.createReadStream(), totalBytes: stat.isFile() ? stat.size : undefined };
}

async function* explained(file: string, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): unknown {
  if (!(error instanceof Error && "code" in error)) return error;
  const name = file === "-" ? "standard input" : file;
  const problem = gzipProblem(error);
  if (problem !== undefined) return new UsageError(`${name} is ${problem}.`, { cause: error });
  const reasons: Record<string, string> = { ENOENT: "no such file", EACCES: "permission denied" };
  return new UsageError(`Cannot read ${name}: ${reasons[String(error.code)] ?? error.message}.`, { cause: error });
}
