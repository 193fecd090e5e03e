import { execFile } from "node:child_process";
import { cp, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";

/** The generators, each with its folder here and the command that runs its journey there. */
export const clients = [
  {
    generator: "openapi-generator for Java",
    folder: "java",
    journey: ["java", "-ea", "-cp", "classes:jars/*", "Journey"],
  },
  { generator: "openapi-python-client", folder: "openapiPythonClient", journey: ["python", "journey.py"] },
  { generator: "oapi-codegen for Go", folder: "go", journey: ["./journey"] },
] as const;
type Client = (typeof clients)[number];

/** The temporary directory of a run, and the folder in it with the generators and a Python that has the clients' dependencies. */
interface Toolchain {
  directory: string;
  programs: string;
}

export async function installToolchain(): Promise<Toolchain> {
  const directory = temporaryDirectory();
  const environment = join(directory, "environment");
  const programs = join(environment, "bin");
  await run(import.meta.dirname, "python3", ["-m", "venv", environment]);
  await run(import.meta.dirname, join(programs, "pip"), [
    "install",
    "--quiet",
    "--no-compile",
    "--requirement",
    "requirements.txt",
  ]);
  return { directory, programs };
}

/** Most of a generator's time goes into the JVM's optimising compiler, which does not pay off within seconds. */
const javaOptions = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1";

/** Generates and compiles a client in a temporary copy of its folder. */
export async function buildClient(
  { directory, programs }: Toolchain,
  { folder }: Client,
  document: string,
): Promise<void> {
  const copy = join(directory, folder);
  await cp(join(import.meta.dirname, folder), copy, { recursive: true });
  await writeFile(join(copy, "openapi.json"), document);
  await run(copy, "sh", ["-eu", "build.sh"], { PATH: pathWith(programs), JAVA_TOOL_OPTIONS: javaOptions });
}

/** Runs a client's journey. @throws Error with its output if it fails. */
export async function runJourney(
  { directory, programs }: Toolchain,
  client: Client,
  variables: Record<string, string>,
) {
  const [program, ...args] = client.journey;
  await run(join(directory, client.folder), program, args, {
    ...variables,
    PATH: pathWith(programs),
    PYTHONPATH: "installed",
  });
}

function pathWith(folder: string): string {
  return `${folder}${delimiter}${process.env.PATH}`;
}

async function run(cwd: string, program: string, args: readonly string[], variables: Record<string, string> = {}) {
  try {
    await promisify(execFile)(program, args, { cwd, env: { ...process.env, ...variables } });
  } catch (error) {
    const { message, stdout } = error as { message: string; stdout: string };
    throw new Error(`${message}\n${stdout}`, { cause: error });
  }
}
