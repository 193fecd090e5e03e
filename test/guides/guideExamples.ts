import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** How to run the examples of a language, by the language's name in Markdown. */
const programs = {
  sh: { file: "example.sh", command: ["sh", "-eu"] },
  ts: { file: "example.mts", command: [process.execPath] },
  js: { file: "example.mjs", command: [process.execPath] },
  python: { file: "example.py", command: ["python3"] },
} as const;
export type Language = keyof typeof programs;
/** In the order of their sections. */
export const languages = Object.keys(programs) as Language[];

/** The guides with examples. */
export const guides = [
  "authentication",
  "paging",
  "incremental-sync",
  "door-scanning",
  "idempotent-writes",
  "conditional-updates",
  "errors-and-retries",
] as const;
export type Guide = (typeof guides)[number];

/** The guide on receivers, which are programs that stay. */
export const receiverGuide = "webhooks";

export const guidesWithoutExamples = [
  "assistants",
  "browsers",
  "introduction",
  "rate-limits",
  "values",
  "versioning",
] as const;

export function guideText(
  guide: Guide | typeof receiverGuide | (typeof guidesWithoutExamples)[number],
): Promise<string> {
  return readFile(new URL(`../../docs/integrators/guides/${guide}.md`, import.meta.url), "utf8");
}

/** A guide's only example in a language. */
export async function exampleIn(guide: Guide | typeof receiverGuide, language: Language): Promise<string> {
  const blocks = [...(await guideText(guide)).matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  const [example = "", ...others] = blocks.filter(([, name]) => name === language).map(([, , code = ""]) => code);
  assert.ok(example !== "" && others.length === 0, `${guide}.md should have one example in ${language}.`);
  return example;
}

/**
 * Prepares an example of a guide for repeated runs in the same temporary directory.
 * @param packages the folder of the installed packages that the example may import.
 */
export async function exampleRunner(
  guide: Guide,
  language: Language,
  environment: Record<string, string>,
  packages: string,
) {
  const { file, command } = programs[language];
  const [program, ...options] = command;
  const cwd = await mkdtemp(join(tmpdir(), "ticketing-guide-"));
  await writeFile(join(cwd, file), await exampleIn(guide, language));
  if (language === "ts") await symlink(packages, join(cwd, "node_modules"));
  return {
    directory: cwd,
    /** @returns what the example prints. @throws Error if it fails. */
    async run(): Promise<string> {
      const env = { PATH: process.env.PATH, ...environment };
      const { stdout } = await promisify(execFile)(program, [...options, file], { cwd, env });
      return stdout.trim();
    },
    remove: () => rm(cwd, { recursive: true }),
  };
}
