import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";

const handlers = ["ordinaryAuthorizer", "ordinaryEvents", "ordinaryDates"];

/** Bundles the ordinary handlers as esbuild does by default for Node. Returns directories by name, deleted when the process exits. */
export function bundleOrdinary(): Record<string, string> {
  const outdir = mkdtempSync(join(tmpdir(), "ordinary-"));
  process.once("exit", () => rmSync(outdir, { recursive: true }));
  const entryPoints = handlers.map((name) => ({ in: `bench/clients/${name}.ts`, out: `${name}/index` }));
  buildSync({ entryPoints, outdir, bundle: true, platform: "node" });
  return Object.fromEntries(handlers.map((name) => [name, join(outdir, name)]));
}
