import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, parse } from "node:path";
import { type BuildOptions, buildSync } from "esbuild";
import { endpoints } from "../functions/endpoints/index.ts";
import { codeFile } from "../functions/start/compileFunction.ts";

/** By function name: the file of each Lambda function, relative to the repository root. */
export function entryPointsWith(operations: readonly { operationId: string }[]): Readonly<Record<string, string>> {
  return {
    apiKeyAuthorizer: "functions/keys/apiKeyAuthorizer.ts",
    superAdminAuthorizer: "functions/people/superAdminAuthorizer.ts",
    summaries: "functions/summaries/summaries.ts",
    feed: "functions/feed/feed.ts",
    bulkImport: "functions/feed/bulkImport.ts",
    outgoingEvents: "functions/changes/outgoingEvents.ts",
    usage: "functions/keys/usage.ts",
    webhooks: "functions/webhooks/webhooks.ts",
    ...Object.fromEntries(
      operations.map(({ operationId }) => [operationId, `functions/endpoints/${operationId}.ts`] as const),
    ),
  };
}

/** By function name: the file of every Lambda function, relative to the repository root. */
export const functionEntryPoints = entryPointsWith(endpoints);

/** An SDK module for event streams. S3's client needs it; DynamoDB's and SQS's clients import it but never use it. */
const eventStreams = "@smithy/core/event-streams";
/** The function with the S3 client, which is the largest. */
export const s3User = "bulkImport";

/** The functions whose caller waits: their starts must be short. */
const onRequestPath = /^functions\/endpoints\/|Authorizer\.ts$/;

interface Options {
  /**
   * The architecture of the functions. If this process has the same, functions that a request waits for get a compile cache
   * (docs/decisions/0018-compile-cache.md).
   */
  architecture?: string;
}

/**
 * Bundles each Lambda function into one minified file without unused code. The same sources give the same bytes in any directory.
 *
 * @param entryPoints by function name: the file that exports `handler`, relative to the repository root.
 * @returns by function name: a directory whose `index.js` exports `handler`, deleted when the process exits.
 */
export function bundleFunctions(entryPoints: Record<string, string>, { architecture }: Options = {}) {
  const outdir = mkdtempSync(join(tmpdir(), "functions-"));
  process.once("exit", () => rmSync(outdir, { recursive: true, force: true }));
  const names = Object.keys(entryPoints);
  const isS3User = (name: string) => name === s3User;
  const codeOf = (name: string) => ({ out: `${name}/${parse(codeFile).name}`, in: entryPoints[name] ?? "" });
  bundle(names.filter((name) => !isS3User(name)).map(codeOf), { external: [eventStreams] });
  const starts = names.map((name) => ({ out: `${name}/index`, in: "functions/start/index.ts" }));
  bundle([...names.filter(isS3User).map(codeOf), ...starts]);
  const cached = names.filter((name) => onRequestPath.test(entryPoints[name] ?? ""));
  if (architecture === process.arch) for (const name of cached) makeCompileCache(join(outdir, name));
  return Object.fromEntries(names.map((name) => [name, join(outdir, name)]));

  function bundle(files: { in: string; out: string }[], options: BuildOptions = {}): void {
    if (files.length > 0) buildSync({ ...commonOptions, ...options, outdir, entryPoints: files });
  }
}

/** Uses a new process with an empty environment: the cache depends on both. */
function makeCompileCache(directory: string): void {
  const program = join(import.meta.dirname, "makeCompileCache.ts");
  execFileSync(process.execPath, ["--predictable", program, directory], {
    env: {},
    stdio: ["ignore", "ignore", "pipe"],
  });
}

const commonOptions: BuildOptions = {
  absWorkingDir: dirname(import.meta.dirname),
  // The SDK's default provider supports many credential sources; Lambda needs only the environment.
  alias: { "@aws-sdk/credential-provider-node": "./functions/table/environmentCredentials.ts" },
  bundle: true,
  minify: true,
  // CommonJS, because only a script can have a compile cache.
  format: "cjs",
  define: { "import.meta.dirname": "__dirname" },
  platform: "node",
  target: "node24",
  // esbuild can tree-shake ES modules, but not the SDK's CommonJS.
  mainFields: ["module", "main"],
  legalComments: "none",
  logLevel: "warning",
};
