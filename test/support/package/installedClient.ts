import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import { clientPackages } from "../../../lib/website/clientPackages.ts";

const repository = resolve(import.meta.dirname, "../../..");
const tsc = join(repository, "node_modules/.bin/tsc");
/** The client's dependencies, which are packed too, so that the installation needs no network. */
const dependencies = [
  "openapi-fetch",
  "openapi-typescript-helpers",
  "standardwebhooks",
  "@stablelib/base64",
  "fast-sha256",
];

/** An integrator's environment: the machine's own Node and npm, instead of those that this repository installs. */
const environment = {
  HOME: process.env.HOME,
  PATH: (process.env.PATH ?? "")
    .split(delimiter)
    .filter((directory) => !directory.includes("node_modules"))
    .join(delimiter),
};

/** The version of the machine's Node. */
export const nodeVersion = await run(repository, "node", ["--version"]);

/** An integrator's project outside the repository, in which the client is installed. */
export interface ClientProject {
  directory: string;
  /** @returns what a program prints that runs in the project. @throws Error with its output if it fails. */
  run: (program: string, args: string[], variables?: Record<string, string>) => Promise<string>;
  /** Compiles TypeScript files to JavaScript beside them, with strict settings and these options. */
  compile: (files: Record<string, string>, options: string[]) => Promise<void>;
  remove: () => Promise<void>;
}

/** Installs the package that each stage serves into an empty project. */
export async function installClient(): Promise<ClientProject> {
  const root = await mkdtemp(join(tmpdir(), "ticketing-client-"));
  const [packages, directory] = [join(root, "packages"), join(root, "project")];
  for (const path of [packages, directory]) await mkdir(path);
  const pack = async (...args: string[]) => {
    const file = await run(repository, "npm", ["pack", "--silent", "--pack-destination", packages, ...args]);
    return `file:${join(packages, file)}`;
  };
  const overrides: Record<string, string> = {};
  for (const name of dependencies) overrides[name] = await pack("--ignore-scripts", `./node_modules/${name}`);
  await writeFile(join(directory, "package.json"), JSON.stringify({ type: "module", overrides }));
  const offline = ["--offline", "--cache", join(root, "cache"), "--no-audit", "--no-fund"];
  const [client] = await clientPackages();
  const file = join(packages, "ticketing-client.tgz");
  await writeFile(file, client?.body ?? "");
  await run(directory, "npm", ["install", ...offline, `file:${file}`]);
  return {
    directory,
    run: (program, args, variables) => run(directory, program, args, variables),
    async compile(files, options) {
      for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
      const settings = ["--strict", "--target", "es2022", "--skipLibCheck", "false", ...options];
      await run(directory, tsc, [...settings, ...Object.keys(files)]);
    },
    remove: () => rm(root, { recursive: true }),
  };
}

async function run(cwd: string, program: string, args: string[], variables: Record<string, string> = {}) {
  try {
    const { stdout } = await promisify(execFile)(program, args, { cwd, env: { ...environment, ...variables } });
    return stdout.trim();
  } catch (error) {
    // The compiler reports its errors on stdout.
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(" ")} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
