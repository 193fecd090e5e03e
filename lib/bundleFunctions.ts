import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buildSync } from "esbuild";

/**
 * Bundles Lambda functions, all in one run of esbuild: one minified ES module each, with nothing in it that the function does not use.
 * The same sources give the same bytes, wherever they lie.
 *
 * @param entryPoints the file that exports `handler`, by the function's name; relative to the root of the sources.
 * @returns a directory with `index.mjs`, by the function's name. It is there until the process ends.
 */
export function bundleFunctions(entryPoints: Record<string, string>): Record<string, string> {
  const outdir = mkdtempSync(join(tmpdir(), "functions-"));
  process.once("exit", () => rmSync(outdir, { recursive: true, force: true }));
  const names = Object.keys(entryPoints);
  buildSync({
    absWorkingDir: dirname(import.meta.dirname),
    entryPoints: Object.fromEntries(names.map((name) => [`${name}/index`, entryPoints[name] ?? ""])),
    outdir,
    outExtension: { ".js": ".mjs" },
    // What the SDK would only use elsewhere than in Lambda, and for other services than DynamoDB.
    alias: { "@aws-sdk/credential-provider-node": "./functions/data/environmentCredentials.ts" },
    external: ["@smithy/core/event-streams"],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node24",
    // Packages' ES modules, where they have them, lose what is not used; the SDK's CommonJS would stay whole.
    mainFields: ["module", "main"],
    legalComments: "none",
    logLevel: "warning",
  });
  return Object.fromEntries(names.map((name) => [name, join(outdir, name)]));
}
