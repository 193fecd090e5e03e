import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { test } from "@jest/globals";
import { clientPackages } from "../../../lib/website/clientPackages.ts";
import { temporaryDirectory } from "../../../test/support/temporaryDirectory.ts";

const repository = resolve(import.meta.dirname, "../../..");
const directory = temporaryDirectory();

test("npm pack in a clone makes the package that each stage serves, and leaves nothing else", async () => {
  const client = join(directory, "packages/client-typescript");
  await cp(join(repository, "package.json"), join(directory, "package.json"));
  await cp(join(repository, "packages/client-typescript"), client, {
    recursive: true,
    filter: (path) => !path.endsWith("node_modules"),
  });
  for (const folder of ["node_modules", "packages/client-typescript/node_modules"])
    await symlink(join(repository, folder), join(directory, folder));
  const before = await readdir(client);
  const run = promisify(execFile);
  // Without the settings of the npm that runs this test.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  const { stdout } = await run("npm", ["pack", "--silent"], { cwd: client, env });
  const tarball = join(client, stdout.trim());
  assert.deepEqual([...(await readdir(client))].sort(), [...before, stdout.trim()].sort());
  const [served] = await clientPackages();
  assert.ok((await readFile(tarball)).equals(Buffer.from(served?.body ?? "")));
  await mkdir(join(directory, "unpacked"));
  await run("tar", ["-xzf", tarball, "-C", join(directory, "unpacked")]);
  const program = `import { ticketingClient } from "${directory}/unpacked/package/dist/index.js";
    console.log(Object.keys(ticketingClient({ baseUrl: "https://api.example.com", apiKey: "tsk_test" })).includes("GET"));`;
  assert.equal((await run(process.execPath, ["--input-type=module", "--eval", program])).stdout, "true\n");
});
