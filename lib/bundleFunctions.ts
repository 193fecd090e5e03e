import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type BuildOptions, buildSync } from "esbuild";

/** A part of the SDK for streams of events, which DynamoDB's and SQS's clients have for other services than these, and S3's cannot do without. */
const eventStreams = "@smithy/core/event-streams";
const s3Users: readonly string[] = ["bulkImport"];

/**
 * Bundles Lambda functions, all in two runs of esbuild: one minified ES module each, with nothing in it that the function does not use.
 * The same sources give the same bytes, wherever they lie.
 *
 * @param entryPoints the file that exports `handler`, by the function's name; relative to the root of the sources.
 * @returns a directory with `index.mjs`, by the function's name. It is there until the process ends.
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
  // What the SDK would only use elsewhere than in Lambda, and for other services than DynamoDB.
  alias: { "@aws-sdk/credential-provider-node": "./functions/data/environmentCredentials.ts" },
  bundle: true,
  minify: true,
  format: "esm",
  platform: "node",
  target: "node24",
  // Packages' ES modules, where they have them, lose what is not used; the SDK's CommonJS would stay whole.
  mainFields: ["module", "main"],
  legalComments: "none",
  logLevel: "warning",
};
