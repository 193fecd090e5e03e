import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const sources = join(import.meta.dirname, "clients");
/** The first version of the conformance scenarios that has those of 2026-07-28. */
const packages = ["@modelcontextprotocol/client@2.4.0", "@modelcontextprotocol/conformance@0.2.0-alpha.12"];
const { FASTMCP_PYTHON: python = "" } = process.env;

export async function outputOf(program: string, values: string[], directory: string, env = {}): Promise<string> {
  // The project's Node, because the Inspector needs a later one than 20.
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
  const options = { env: { ...process.env, PATH, ...env }, cwd: directory, timeout: 300_000, maxBuffer: 10_000_000 };
  return (await promisify(execFile)(program, values, options)).stdout;
}

export async function installClients(directory: string): Promise<void> {
  await cp(join(sources, "client.mjs"), join(directory, "client.mjs"));
  await Promise.all([
    outputOf("npm", ["install", "--no-audit", "--no-fund", "--prefix", directory, ...packages], directory),
    outputOf("go", ["build", "-C", join(sources, "go"), "-o", join(directory, "go"), "."], directory),
  ]);
}

interface Client {
  name: string;
  /** Prints the first events and the names of the tools, as JSON. */
  command: [string, ...string[]];
  /** The messages that it sends until it has a tool's result. */
  messages: number;
}

/** Each client with its versions of the protocol. */
export function clientsIn(directory: string): Client[] {
  const client = (name: string, messages: number, ...command: Client["command"]) => ({ name, command, messages });
  const script = join(sources, "client.py");
  const go = join(directory, "go");
  return [
    ...["mcp", "fastmcp"].flatMap((library) => [
      client(`${library} for Python, with a handshake`, 3, python, script, library, "legacy"),
      client(`${library} for Python, as it is`, 2, python, script, library, "auto"),
      client(`${library} for Python, in one version`, 1, python, script, library, "2026-07-28"),
    ]),
    client("the TypeScript client, with a handshake", 3, "node", join(directory, "client.mjs"), "legacy"),
    client("the TypeScript client, without", 2, "node", join(directory, "client.mjs"), "auto"),
    ...["mcp-go", "go-sdk"].flatMap((library) => [
      client(`${library}, with a handshake`, 3, go, library, "2025-11-25"),
      client(`${library}, as it is`, 2, go, library, "2026-07-28"),
    ]),
  ];
}

interface Check {
  id: string;
  status: string;
  details?: { untestable?: boolean; error?: { code: number } };
}

/** The checks of a conformance scenario that fail, without those about tools and methods that the service does not offer. */
export function failuresOf(checks: Check[]): Check[] {
  return checks.filter(
    ({ status, details }) => status === "FAILURE" && !details?.untestable && details?.error?.code !== -32_601,
  );
}
