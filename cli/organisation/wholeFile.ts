import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { UsageError } from "../../local/usageError.ts";

/** A file that is there whole or not at all. */
export interface WholeFile {
  /** Adds text at its end. May be called while it is under way. */
  write: (text: string) => Promise<void>;
  /** Puts it under its name, in place of one that is there. */
  keep: () => Promise<void>;
  /** Throws it away, unless it is kept. */
  discard: () => Promise<void>;
}

/**
 * Begins a file that only its owner can read. Until it is kept it has another name, beside its own.
 *
 * @throws UsageError where it cannot be written there.
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
