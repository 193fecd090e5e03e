import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const sources = join(import.meta.dirname, "clients");
/** The first version of the conformance scenarios with those of 2026-07-28. */
const packages = ["@modelcontextprotocol/client@2.4.0", "@modelcontextprotocol/conformance@0.2.0-alpha.12"];
const { FASTMCP_PYTHON = "" } = process.env;

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
  /** Prints the text with the first events and the names of the tools, as JSON. */
  command: string[];
  /** The messages that it sends until it has a tool's result. */
  messages: number;
  /** A part of what it shows for a refused key. */
  refusal: string;
}

const python = [FASTMCP_PYTHON, join(sources, "client.py")] as const;
const ofPython = "Server returned an error response";

/** Each client in its modes. */
export function clientsIn(directory: string): Client[] {
  const node = ["node", join(directory, "client.mjs")] as const;
  const go = join(directory, "go");
  return [
    ...["mcp", "fastmcp"].flatMap((library) => [
      { name: `${library}, with a handshake`, messages: 3, refusal: ofPython, command: [...python, library, "legacy"] },
      { name: `${library}, as it is`, messages: 2, refusal: ofPython, command: [...python, library, "auto"] },
      {
        name: `${library}, in one version`,
        messages: 1,
        refusal: ofPython,
        command: [...python, library, "2026-07-28"],
      },
    ]),
    { name: "the TypeScript client, as it is", messages: 3, refusal: "status: 401", command: [...node, "legacy"] },
    {
      name: "the TypeScript client, without a handshake",
      messages: 2,
      refusal: "status: 401",
      command: [...node, "auto"],
    },
    ...[
      { library: "mcp-go", refusal: "authorization required" },
      { library: "go-sdk", refusal: "Unauthorized" },
    ].flatMap(({ library, refusal }) => [
      { name: `${library}, with a handshake`, messages: 3, refusal, command: [go, library, "2025-11-25"] },
      { name: `${library}, as it is`, messages: 2, refusal, command: [go, library, "2026-07-28"] },
    ]),
  ];
}

interface Check {
  id: string;
  status: string;
  details?: { untestable?: boolean; error?: { code: number } };
}

/** The failed checks of a conformance scenario, except those about tools and methods that the service does not offer. */
export function failuresOf(checks: Check[]): Check[] {
  return checks.filter(
    ({ status, details }) => status === "FAILURE" && !details?.untestable && details?.error?.code !== -32_601,
  );
}
