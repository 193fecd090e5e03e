import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";
import { integratorEnvironment } from "./guideExamples.ts";

const repository = resolve(import.meta.dirname, "../..");
const tsc = join(repository, "node_modules/.bin/tsc");
export const clientReadme = await readFile(join(repository, "packages/client-typescript/README.md"), "utf8");

/** The version of the machine's Node. */
export const nodeVersion = await run(repository, "node", ["--version"]);

/** An integrator's project outside the repository, in which the client is installed. */
export interface ClientProject {
  directory: string;
  /** @returns what a program prints that runs in the project. @throws Error with its output if it fails. */
  run: (program: string, args: string[], variables?: Record<string, string>) => Promise<string>;
  /** Compiles TypeScript files to JavaScript beside them, with strict settings and these options. */
  compile: (files: Record<string, string>, options: string[]) => Promise<void>;
}

/** Installs the client that a stage serves into an empty project, by the command of the client's README. */
export async function installClient(BASE_URL: string): Promise<ClientProject> {
  const directory = temporaryDirectory();
  const [, install = assert.fail()] = /^```sh\n(.*?)^```$/ms.exec(clientReadme) ?? [];
  await run(directory, "sh", ["-ec", install], { BASE_URL });
  return {
    directory,
    run: (program, args, variables) => run(directory, program, args, variables),
    async compile(files, options) {
      for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
      const settings = ["--strict", "--target", "es2022", "--skipLibCheck", "false", ...options];
      await run(directory, tsc, [...settings, ...Object.keys(files)]);
    },
  };
}

async function run(cwd: string, program: string, args: string[], variables: Record<string, string> = {}) {
  try {
    const env = { ...integratorEnvironment, ...variables };
    const { stdout } = await promisify(execFile)(program, args, { cwd, env });
    return stdout.trim();
  } catch (error) {
    // The compiler reports its errors on stdout.
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(" ")} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
