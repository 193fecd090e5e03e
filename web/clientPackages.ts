import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { strToU8, zipSync } from "fflate";
import { type WebsiteFile, websiteFile } from "./website.ts";

const repository = fileURLToPath(new URL("..", import.meta.url));
const typescript = join(repository, "clients/typescript");
const python = join(repository, "clients/python");

/** The packages of the clients, which each stage serves because no public registry has them. The same sources make the same files. */
export async function clientPackages(): Promise<WebsiteFile[]> {
  const [tarball, wheel] = await Promise.all([npmPackage(), pythonWheel()]);
  return [websiteFile("/clients/ticketing-client.tgz", tarball), websiteFile(`/clients/${wheel.name}`, wheel.body)];
}

/** Compiles and packs the TypeScript client in a directory of its own, because others may do the same at the same time. */
async function npmPackage(): Promise<Buffer> {
  const directory = await mkdtemp(join(tmpdir(), "client-package-"));
  try {
    for (const file of ["package.json", "README.md", "LICENSE"])
      await cp(join(typescript, file), join(directory, file));
    const run = promisify(execFile);
    const tsc = join(repository, "node_modules/typescript/bin/tsc");
    await run(process.execPath, [tsc, "--project", typescript, "--outDir", join(directory, "dist")]);
    const { stdout } = await run("npm", ["pack", "--silent", "--ignore-scripts"], { cwd: directory });
    return await readFile(join(directory, stdout.trim()));
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Zips the Python client as a wheel (https://packaging.python.org/en/latest/specifications/binary-distribution-format/), without Python. */
async function pythonWheel(): Promise<{ name: string; body: Buffer }> {
  const project = await readFile(join(python, "pyproject.toml"), "utf8");
  const setting = (name: string) => new RegExp(`^${name} = "(.*)"$`, "m").exec(project)?.[1] ?? missing(name);
  const [, required = missing("dependencies")] = /^dependencies = \[(.*)\]$/m.exec(project) ?? [];
  const [module, version] = ["ticketing_client", setting("version")];
  const information = `${module}-${version}.dist-info`;
  const requirements = [...required.matchAll(/"(.*?)"/g)].map(([, one]) => `Requires-Dist: ${one}\n`);
  const head = `Metadata-Version: 2.4\nName: ${setting("name")}\nVersion: ${version}\nSummary: ${setting("description")}\nLicense-Expression: ${setting("license")}\nLicense-File: LICENSE\nRequires-Python: ${setting("requires-python")}\n`;
  const readme = await readFile(join(python, "README.md"), "utf8");
  const sources = join(python, "src", module);
  const names = (await readdir(sources)).filter((name) => /\.py$|^py\.typed$/.test(name)).sort();
  const files = new Map<string, Uint8Array>();
  for (const name of names) files.set(`${module}/${name}`, await readFile(join(sources, name)));
  files.set(
    `${information}/METADATA`,
    strToU8(`${head}${requirements.join("")}Description-Content-Type: text/markdown\n\n${readme}`),
  );
  files.set(
    `${information}/WHEEL`,
    strToU8("Wheel-Version: 1.0\nGenerator: ticketing-api\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
  );
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
  throw new Error(`clients/python/pyproject.toml has no ${setting} in one line.`);
}
