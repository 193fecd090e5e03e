import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { Row } from "../support/sync/mirror.ts";
import type { Language } from "./guideExamples.ts";

/** The mirror and the cursor of the example of incremental sync in a language, in its directory. */
interface MirrorFormat {
  rows: (directory: string) => Promise<Row[]>;
  /** Replaces the cursor. */
  setCursor: (directory: string, cursor: string) => Promise<void>;
}

const JsonMirror = z.object({ cursor: z.string(), rows: z.array(z.tuple([z.string(), Row])) });
const jsonMirrorIn = (directory: string) => join(directory, "mirror.json");

async function jsonMirror(directory: string) {
  return JsonMirror.parse(JSON.parse(await readFile(jsonMirrorIn(directory), "utf8")));
}

export const mirrorFormats: Record<Language, MirrorFormat> = {
  ts: {
    rows: async (directory) => (await jsonMirror(directory)).rows.map(([, row]) => row),
    async setCursor(directory, cursor) {
      await writeFile(jsonMirrorIn(directory), JSON.stringify({ ...(await jsonMirror(directory)), cursor }));
    },
  },
  python: {
    async rows(directory) {
      const database = new DatabaseSync(join(directory, "mirror.db"));
      const rows = database.prepare("SELECT row FROM mirror").all();
      database.close();
      return rows.map(({ row }) => Row.parse(JSON.parse(String(row))));
    },
    async setCursor(directory, cursor) {
      const database = new DatabaseSync(join(directory, "mirror.db"));
      database.prepare("UPDATE position SET cursor = ?").run(cursor);
      database.close();
    },
  },
};
