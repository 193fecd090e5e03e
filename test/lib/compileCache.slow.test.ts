import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { ApiKeyPrincipal } from "../../functions/keys/apiKeyPrincipal.ts";
import { cacheFile } from "../../functions/start/compileFunction.ts";
import { bundleFunctions, functionEntryPoints } from "../../lib/bundleFunctions.ts";

const { getKey = "", apiKeyAuthorizer = "", superAdminAuthorizer = "", summaries = "" } = functionEntryPoints;
const entryPoints = { getKey, apiKeyAuthorizer, superAdminAuthorizer, summaries };
const principal = {
  organisationId: 1,
  keyId: "id",
  keyName: "Name",
  keyPrefix: "tsk_12345678",
  scopes: ["read" as const],
};
const event = {
  httpMethod: "GET",
  path: "/v1/key",
  headers: {},
  requestContext: { requestId: "request", authorizer: ApiKeyPrincipal.encode(principal) },
};

let built: Record<string, string>;
let directory: string;

beforeAll(() => {
  built = bundleFunctions(entryPoints, { architecture: process.arch });
  directory = mkdtempSync(join(tmpdir(), "deployed-"));
});

afterAll(() => rmSync(directory, { recursive: true }));

/** Starts a copy of the function in a new process, after `change` has been made to it, and sends it the same request twice. */
function start(change: (cache: string) => void = () => undefined, flags: string[] = []) {
  cpSync(built.getKey ?? "", directory, { recursive: true });
  change(join(directory, cacheFile));
  const before = contents();
  const program = `
    const { handler } = require(${JSON.stringify(join(directory, "index.js"))});
    const send = () => handler(${JSON.stringify(event)}, { getRemainingTimeInMillis: () => 8000 });
    send().then(async (first) => console.log(JSON.stringify([first.body, (await send()).body])));`;
  const output = execFileSync(process.execPath, [...flags, "-e", program], {
    encoding: "utf8",
    env: { ...process.env, POWERTOOLS_LOG_LEVEL: "INFO", POWERTOOLS_METRICS_NAMESPACE: "test" },
  });
  expect(contents()).toEqual(before);
  const [first, second, answers] = output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(second).not.toHaveProperty("compile_cache");
  for (const answer of answers) expect(JSON.parse(answer)).toMatchObject({ name: "Name", scopes: ["read"] });
  return first.compile_cache;
}

/** The files of the function, which a start must not change. */
function contents() {
  return readdirSync(directory).map((name) => [name, statSync(join(directory, name)).mtimeMs]);
}

test("a function uses the compile cache beside its code, and its first log line says so", () => {
  expect(start()).toBe("used");
});

test.each([
  ["was made by other code", (cache: string) => cpSync(join(built.getKey ?? "", "index.js"), cache)],
  ["is cut short", (cache: string) => truncateSync(cache, statSync(cache).size / 2)],
  ["is empty", (cache: string) => truncateSync(cache)],
  [
    "was made by another build of Node",
    (cache: string) => {
      // V8's header has a checksum of the objects that are built into Node at this offset; it differs between architectures.
      const bytes = readFileSync(cache);
      bytes.writeUInt32LE((bytes.readUInt32LE(16) + 1) % 2 ** 32, 16);
      writeFileSync(cache, bytes);
    },
  ],
])("a function whose compile cache %s runs without it", (_what, change) => {
  expect(start(change)).toBe(`rejected by ${process.version}`);
});

test("a function runs without its compile cache if Node has other flags, and without any", () => {
  expect(start(undefined, ["--expose-gc"])).toBe(`rejected by ${process.version}`);
  expect(start((cache) => rmSync(cache))).toBe("none");
});

test("only functions for which a request waits get a compile cache, and only from a machine of their architecture", () => {
  for (const name of ["getKey", "apiKeyAuthorizer", "superAdminAuthorizer"])
    expect(readdirSync(built[name] ?? "")).toContain(cacheFile);
  expect(readdirSync(built.summaries ?? "")).not.toContain(cacheFile);
  const [other] = ["arm64", "x64"].filter((architecture) => architecture !== process.arch);
  const elsewhere = bundleFunctions({ getKey }, { architecture: other ?? "" });
  expect(readdirSync(elsewhere.getKey ?? "")).not.toContain(cacheFile);
});
