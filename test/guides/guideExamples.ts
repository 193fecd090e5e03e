import assert from "node:assert/strict";
import { exec, spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";

/** The languages by their names in Markdown, in the order of their sections. */
export const languages = ["ts", "python"] as const;
export type Language = (typeof languages)[number];

/** The guides with examples. */
export const guides = [
  "basics",
  "incremental-sync",
  "door-scanning",
  "calendars",
  "writes",
  "errors-and-retries",
] as const;
export type Guide = (typeof guides)[number];

/** The guide on receivers, which run until they are stopped. */
export const receiverGuide = "webhooks";

export function guideText(guide: Guide | typeof receiverGuide): Promise<string> {
  return readFile(new URL(`../../docs/integrators/guides/${guide}.md`, import.meta.url), "utf8");
}

/** A guide's blocks of commands for a shell that begin with curl, in their order. */
export async function curlIn(guide: Guide): Promise<string[]> {
  const blocks = (await guideText(guide)).matchAll(/^```sh\n(curl [\s\S]*?)^```$/gm);
  return [...blocks].map(([, commands = ""]) => commands);
}

/** A guide's only example in a language: its code, the file to save it in, and the commands that install what it needs and then run it. */
export async function exampleIn(guide: Guide | typeof receiverGuide, language: Language) {
  const sections = (await guideText(guide)).split(/^(?=## )/m);
  const [section = "", ...others] = sections.filter((text) => text.includes(`\n\`\`\`${language}\n`));
  const printed = /^Save this as `(\S+)`.*?\brun (.+)\.\n\n```\w+\n([\s\S]*?)^```$/im.exec(section);
  assert.ok(printed && others.length === 0, `${guide}.md should have one example in ${language}, below its commands.`);
  const [, file = "", run = "", code = ""] = printed;
  const commands = [...run.matchAll(/`([^`]+)`/g)].map(([, command = ""]) => command);
  return { file, code, installs: commands.slice(0, -1), command: commands.at(-1) ?? "" };
}

/** An integrator's environment: the machine's, without the programs that this repository installs. */
export const integratorEnvironment = {
  ...process.env,
  PATH: (process.env.PATH ?? "")
    .split(delimiter)
    .filter((directory) => !directory.includes("node_modules"))
    .join(delimiter),
};

/** Follows a guide from an empty directory: saves its example in a language, and installs what it needs. */
export async function followGuide(
  guide: Guide | typeof receiverGuide,
  language: Language,
  environment: Record<string, string>,
) {
  const { file, code, installs, command } = await exampleIn(guide, language);
  const directory = temporaryDirectory();
  const optionsWith = (variables: Record<string, string>) => ({
    cwd: directory,
    env: { ...integratorEnvironment, ...environment, ...variables },
  });
  await writeFile(join(directory, file), code);
  for (const install of installs) await promisify(exec)(install, optionsWith({}));
  return {
    directory,
    /** @param assignments of the shell, before the command. @returns what the example prints. @throws Error if it fails. */
    run: async (variables: Record<string, string> = {}, assignments = "") =>
      (await promisify(exec)(`${assignments} ${command}`, optionsWith(variables))).stdout.trim(),
    /** Starts an example that runs until it is stopped, in its own process group. */
    start: (variables: Record<string, string>) =>
      spawn(command, {
        ...optionsWith(variables),
        shell: true,
        detached: true,
        stdio: ["ignore", "pipe", "inherit"],
      }),
  };
}
