import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { Row } from "../support/sync/mirror.ts";
import type { Language } from "./guideExamples.ts";

/** How the example of incremental sync in a language stores its mirror and its cursor, in its directory. */
interface MirrorFormat {
  rows: (directory: string) => Promise<Row[]>;
  /** Replaces the cursor. */
  setCursor: (directory: string, cursor: string) => Promise<void>;
}

const setCursorFile = (directory: string, cursor: string) => writeFile(join(directory, "cursor.txt"), cursor);

const JsonMirror = z.object({ cursor: z.string(), rows: z.array(z.tuple([z.string(), Row])) });
const jsonMirrorIn = (directory: string) => join(directory, "mirror.json");

async function jsonMirror(directory: string) {
  return JsonMirror.parse(JSON.parse(await readFile(jsonMirrorIn(directory), "utf8")));
}

export const mirrorFormats: Record<Language, MirrorFormat> = {
  sh: {
    async rows(directory) {
      const text = await readFile(join(directory, "mirror.ndjson"), "utf8");
      return text
        .split("\n")
        .filter(Boolean)
        .map((line) => Row.parse(JSON.parse(line)));
    },
    setCursor: setCursorFile,
  },
  ts: {
    rows: async (directory) => (await jsonMirror(directory)).rows.map(([, row]) => row),
    async setCursor(directory, cursor) {
      await writeFile(jsonMirrorIn(directory), JSON.stringify({ ...(await jsonMirror(directory)), cursor }));
    },
  },
  js: {
    async rows(directory) {
      const folder = join(directory, "mirror");
      const texts = (await readdir(folder)).map((name) => readFile(join(folder, name), "utf8"));
      return (await Promise.all(texts)).map((text) => Row.parse(JSON.parse(text)));
    },
    setCursor: setCursorFile,
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
