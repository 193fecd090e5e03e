import { copyFileSync, writeFileSync } from "node:fs";
import { dirname, join, parse } from "node:path";
import { type BuildOptions, buildSync } from "esbuild";
import { routes } from "../functions/mcp/routes.ts";
import { temporaryDirectory } from "./shared/temporaryDirectory.ts";

/** The file of each Lambda function by its name, relative to the repository root. */
export function entryPointsWith(operations: readonly { operationId: string }[]): Readonly<Record<string, string>> {
  return {
    apiKeyAuthorizer: "functions/keys/apiKeyAuthorizer.ts",
    superAdminAuthorizer: "functions/people/superAdminAuthorizer.ts",
    tableStream: "functions/stream/tableStream.ts",
    feed: "functions/feed/feed.ts",
    bulkImport: "functions/feed/bulkImport.ts",
    outgoingEvents: "functions/stream/outgoingEvents.ts",
    usage: "functions/keys/countUsage.ts",
    webhooks: "functions/webhooks/webhooks.ts",
    probe: "functions/probe/probe.ts",
    ...Object.fromEntries(
      operations.map(({ operationId }) => [operationId, `functions/endpoints/${operationId}.ts`] as const),
    ),
    mcp: "functions/mcp/mcp.ts",
  };
}

export const functionEntryPoints = entryPointsWith(routes);

/** An SDK module for event streams. S3's client needs it; DynamoDB's and SQS's clients import it but never use it. */
const eventStreams = "@smithy/core/event-streams";
/** The function with the S3 client, which is the largest. */
export const s3User = "bulkImport";

/** Functions import the SDK's client of DynamoDB when they need it, by this name in `package.json`, so it is a file of its own. */
const client = { name: "#documentClient", entryPoint: "functions/table/client.ts" };
export const clientFile = "documentClient.js";

/** Makes the files of a function ES modules, and names the client's file. */
const packageJson = JSON.stringify({ type: "module", imports: { [client.name]: `./${clientFile}` } });

/** The same sources give the same bytes in any directory. @returns by name a directory whose `index.js` exports `handler`, deleted on exit. */
export function bundleFunctions(entryPoints: Record<string, string>): Record<string, string> {
  const outdir = temporaryDirectory("functions-");
  const names = Object.keys(entryPoints);
  const isS3User = (name: string) => name === s3User;
  const indexOf = (name: string) => ({ out: `${name}/index`, in: entryPoints[name] ?? "" });
  bundle(names.filter((name) => !isS3User(name)).map(indexOf), [client.name, eventStreams]);
  bundle(names.filter(isS3User).map(indexOf), [client.name]);
  bundle([{ out: parse(clientFile).name, in: client.entryPoint }], [eventStreams]);
  for (const name of names) {
    copyFileSync(join(outdir, clientFile), join(outdir, name, clientFile));
    writeFileSync(join(outdir, name, "package.json"), packageJson);
  }
  return Object.fromEntries(names.map((name) => [name, join(outdir, name)]));

  function bundle(files: { in: string; out: string }[], external: string[]): void {
    if (files.length > 0) buildSync({ ...commonOptions, external, outdir, entryPoints: files });
  }
}

const commonOptions: BuildOptions = {
  absWorkingDir: dirname(import.meta.dirname),
  // The SDK's default provider supports many credential sources; Lambda needs only the environment.
  alias: { "@aws-sdk/credential-provider-node": "./lib/environmentCredentials.ts" },
  bundle: true,
  minify: true,
  format: "esm",
  // For dependencies that are CommonJS.
  banner: { js: 'const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);' },
  platform: "node",
  target: "node24",
  // esbuild can tree-shake ES modules, but not the SDK's CommonJS.
  mainFields: ["module", "main"],
  legalComments: "none",
  logLevel: "warning",
};
