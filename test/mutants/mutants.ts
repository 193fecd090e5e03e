import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import * as z from "zod";

export const root = join(import.meta.dirname, "../..");

const Mutant = z.strictObject({
  id: z.string(),
  file: z.string(),
  /** Occurs once in the file. */
  text: z.string(),
  replacement: z.string(),
  /** The promise that the bug breaks. */
  breaks: z.string(),
});
export type Mutant = z.infer<typeof Mutant>;

/** The bugs of each area, by the name of its file. */
export function readMutants(): Record<string, Mutant[]> {
  const files = globSync(join(import.meta.dirname, "*.json")).sort();
  return Object.fromEntries(
    files.map((file) => [basename(file, ".json"), z.array(Mutant).parse(JSON.parse(readFileSync(file, "utf8")))]),
  );
}

/** The text of the mutant's file with the bug. @throws Error unless the replaced text occurs exactly once. */
export function withBug({ id, file, text, replacement }: Mutant, original: string): string {
  const parts = original.split(text);
  if (parts.length !== 2) throw new Error(`${id}: the text occurs ${parts.length - 1} times in ${file}.`);
  return parts.join(replacement);
}
