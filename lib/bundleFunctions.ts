import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type BuildOptions, buildSync } from "esbuild";

/** An SDK module for event streams. S3's client needs it; DynamoDB's and SQS's clients import it but never use it. */
const eventStreams = "@smithy/core/event-streams";
/** The functions with the S3 client, which is the largest. */
export const s3Users: readonly string[] = ["bulkImport", "peopleBackup"];

/**
 * Bundles each Lambda function into one minified ES module without unused code. The same sources give the same bytes in any directory.
 *
 * @param entryPoints by function name: the file that exports `handler`, relative to the repository root.
 * @returns by function name: a directory with `index.mjs`, deleted when the process exits.
 */
export function bundleFunctions(entryPoints: Record<string, string>): Record<string, string> {
  const outdir = mkdtempSync(join(tmpdir(), "functions-"));
  process.once("exit", () => rmSync(outdir, { recursive: true, force: true }));
  const names = Object.keys(entryPoints);
  bundle(
    names.filter((name) => !s3Users.includes(name)),
    { external: [eventStreams] },
  );
  bundle(
    names.filter((name) => s3Users.includes(name)),
    {},
  );
  return Object.fromEntries(names.map((name) => [name, join(outdir, name)]));

  function bundle(group: string[], options: BuildOptions): void {
    if (group.length === 0) return;
    buildSync({
      ...commonOptions,
      ...options,
      outdir,
      entryPoints: Object.fromEntries(group.map((name) => [`${name}/index`, entryPoints[name] ?? ""])),
    });
  }
}

const commonOptions: BuildOptions = {
  absWorkingDir: dirname(import.meta.dirname),
  outExtension: { ".js": ".mjs" },
  // The SDK's default provider supports many credential sources; Lambda needs only the environment.
  alias: { "@aws-sdk/credential-provider-node": "./functions/data/dynamodb/environmentCredentials.ts" },
  bundle: true,
  minify: true,
  format: "esm",
  platform: "node",
  target: "node24",
  // esbuild can tree-shake ES modules, but not the SDK's CommonJS.
  mainFields: ["module", "main"],
  legalComments: "none",
  logLevel: "warning",
};
