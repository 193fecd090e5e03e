import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { UsageError } from "../../local/usageError.ts";

/** A file that appears only when it is complete. */
export interface WholeFile {
  /** Appends text. May be called while an earlier write is in flight. */
  write: (text: string) => Promise<void>;
  /** Gives the file its final name, replacing an existing file. */
  keep: () => Promise<void>;
  /** Deletes the file, unless it was kept. */
  discard: () => Promise<void>;
}

/**
 * Creates a file that only its owner can read. It has a temporary name in the same directory until it is kept.
 *
 * @throws UsageError if the file cannot be created.
 */
export async function beginWholeFile(file: string): Promise<WholeFile> {
  const unfinished = `${file}.${randomUUID()}.unfinished`;
  const handle = await open(unfinished, "wx", 0o600).catch((cause: Error) => {
    throw new UsageError(`Cannot write ${file}: ${cause.message}.`, { cause });
  });
  let last = Promise.resolve();
  return {
    write(text) {
      last = last.then(() => handle.appendFile(text));
      return last;
    },
    async keep() {
      await last;
      await handle.sync();
      await handle.close();
      await rename(unfinished, file);
    },
    async discard() {
      await last.catch(() => undefined);
      await handle.close();
      await rm(unfinished, { force: true });
    },
  };
}
