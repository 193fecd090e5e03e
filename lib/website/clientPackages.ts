import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { strToU8, zipSync } from "fflate";
import { temporaryDirectory } from "../shared/temporaryDirectory.ts";
import { airbyteManifest } from "./airbyteManifest.ts";
import { n8nWorkflow } from "./n8nWorkflow.ts";
import { nodeRedFlow } from "./nodeRedFlow.ts";
import type { Deployment } from "./openApi.ts";
import { postmanCollection } from "./postmanCollection.ts";
import { type WebsiteFile, websiteFile } from "./websiteFile.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const typescript = join(repository, "packages/client-typescript");
const python = join(repository, "packages/client-python");

/**
 * The packages of the clients, Airbyte's manifest, Postman's collection, and the flows of n8n and Node-RED, which each stage serves because no
 * public registry has them. The same sources make the same files.
 */
export async function clientPackages({ baseUrl }: Deployment = {}): Promise<WebsiteFile[]> {
  const [tarball, wheel] = await Promise.all([npmPackage(), pythonWheel()]);
  return [
    websiteFile("/clients/ticketing-client.tgz", tarball),
    websiteFile(`/clients/${wheel.name}`, wheel.body),
    websiteFile("/clients/airbyte-manifest.json", JSON.stringify(airbyteManifest())),
    websiteFile("/clients/postman-collection.json", JSON.stringify(postmanCollection(baseUrl))),
    websiteFile("/clients/n8n-workflows.json", JSON.stringify(n8nWorkflow(baseUrl))),
    websiteFile("/clients/node-red-flow.json", JSON.stringify(nodeRedFlow(baseUrl))),
  ];
}

/** Runs `npm pack` in a copy of the TypeScript client, because processes may pack it concurrently. */
async function npmPackage(): Promise<Buffer> {
  const directory = temporaryDirectory("client-package-");
  const copy = join(directory, "client");
  await cp(typescript, copy, { recursive: true, filter: (path) => !/[\\/](node_modules|dist)$/.test(path) });
  // The copy finds the same compiler and dependencies.
  await symlink(join(repository, "node_modules"), join(directory, "node_modules"));
  await symlink(join(typescript, "node_modules"), join(copy, "node_modules"));
  const { stdout } = await promisify(execFile)("npm", ["pack", "--silent"], { cwd: copy });
  return await readFile(join(copy, stdout.trim()));
}

/** Zips the Python client as a wheel (https://packaging.python.org/en/latest/specifications/binary-distribution-format/), without Python. */
async function pythonWheel(): Promise<{ name: string; body: Buffer }> {
  const project = await readFile(join(python, "pyproject.toml"), "utf8");
  const setting = (name: string) => new RegExp(`^${name} = "(.*)"$`, "m").exec(project)?.[1] ?? missing(name);
  const [, required = missing("dependencies")] = /^dependencies = \[(.*)\]$/m.exec(project) ?? [];
  const [module, version] = ["ticketing_client", setting("version")];
  const information = `${module}-${version}.dist-info`;
  const texts = (list: string) => [...list.matchAll(/"(.*?)"/g)].map(([, one = ""]) => one);
  const [, extra = missing("cli")] = /^cli = \[(.*)\]$/m.exec(project) ?? [];
  const requirements = [...texts(required), ...texts(extra).map((one) => `${one}; extra == "cli"`)]
    .map((one) => `Requires-Dist: ${one}\n`)
    .join("");
  const head = `Metadata-Version: 2.4\nName: ${setting("name")}\nVersion: ${version}\nSummary: ${setting("description")}\nLicense-Expression: ${setting("license")}\nLicense-File: LICENSE\nRequires-Python: ${setting("requires-python")}\n`;
  const readme = await readFile(join(python, "README.md"), "utf8");
  const sources = join(python, "src", module);
  const paths = await readdir(sources, { recursive: true });
  const names = paths.filter((path) => /\.py$|^py\.typed$/.test(path)).sort();
  const files = new Map<string, Uint8Array>();
  for (const name of names) files.set(`${module}/${name}`, await readFile(join(sources, name)));
  files.set(
    `${information}/METADATA`,
    strToU8(`${head}${requirements}Provides-Extra: cli\nDescription-Content-Type: text/markdown\n\n${readme}`),
  );
  files.set(
    `${information}/WHEEL`,
    strToU8("Wheel-Version: 1.0\nGenerator: ticketing-api\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
  );
  files.set(`${information}/entry_points.txt`, strToU8(`[console_scripts]\nticketing = ${setting("ticketing")}\n`));
  files.set(`${information}/licenses/LICENSE`, await readFile(join(python, "LICENSE")));
  const record = [...files].map(
    ([path, body]) => `${path},sha256=${createHash("sha256").update(body).digest("base64url")},${body.length}`,
  );
  files.set(`${information}/RECORD`, strToU8(`${record.join("\n")}\n${information}/RECORD,,\n`));
  // The earliest time of a zip file, so that equal sources make equal files.
  const body = zipSync(Object.fromEntries(files), { mtime: new Date(1980, 0, 1) });
  return { name: `${module}-${version}-py3-none-any.whl`, body: Buffer.from(body) };
}

function missing(setting: string): never {
  throw new Error(`packages/client-python/pyproject.toml has no ${setting} in one line.`);
}
