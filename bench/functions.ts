import { join } from "node:path";
import { buildSync } from "esbuild";
import { bundleFunctions, functionEntryPoints } from "../lib/bundleFunctions.ts";
import { temporaryDirectory } from "../lib/shared/temporaryDirectory.ts";

const ordinaryHandlers = ["ordinaryAuthorizer", "ordinaryEvents"];
const directories = { ...bundleFunctions(functionEntryPoints), ...bundleOrdinary() };

export function directoryOf(name: string): string {
  const directory = directories[name];
  if (directory === undefined) throw new Error(`No bundle is named ${name}.`);
  return directory;
}

/** Bundles the ordinary handlers as esbuild does for Node, minified. Returns directories by name. */
function bundleOrdinary(): Record<string, string> {
  const outdir = temporaryDirectory("ordinary-");
  const entryPoints = ordinaryHandlers.map((name) => ({ in: `bench/clients/${name}.ts`, out: `${name}/index` }));
  buildSync({ entryPoints, outdir, bundle: true, platform: "node", minify: true });
  return Object.fromEntries(ordinaryHandlers.map((name) => [name, join(outdir, name)]));
}
