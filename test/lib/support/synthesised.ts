import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { Settings } from "../../../lib/settings.ts";
import { TicketingStack } from "../../../lib/ticketingStack.ts";
import type { Synthesis, Template } from "./synthesise.ts";

const { context } = JSON.parse(readFileSync("cdk.json", "utf8"));

/** Small files replace the bundles and the website, so that nothing needs a build and templates have no changing hashes. */
const reference = [
  { path: "/docs", contentType: "text/html", body: "page", cacheControl: "public, no-cache" },
  { path: "/docs/reference.js", contentType: "text/javascript", body: "1;", cacheControl: "public, no-cache" },
  {
    path: "/docs/scalar/chunk.js",
    contentType: "text/javascript",
    body: Buffer.from("2;"),
    cacheControl: "public, max-age=60",
  },
  { path: "/openapi.json", contentType: "application/json", body: "{}", cacheControl: "public, no-cache" },
];
const developerArea = [
  { path: "/developer", contentType: "text/html", body: "page", cacheControl: "public, no-cache" },
  { path: "/developer/assets/a.js", contentType: "text/javascript", body: "3;", cacheControl: "public, max-age=60" },
];

export function synthesised(given: unknown): Synthesis {
  const directory = mkdtempSync(join(tmpdir(), "synthesise-"));
  try {
    let entryPoints: Record<string, string> = {};
    const bundleFunctions = (functions: Record<string, string>) => {
      entryPoints = functions;
      const bundle = join(directory, "bundle");
      mkdirSync(bundle);
      writeFileSync(join(bundle, "index.mjs"), "");
      return Object.fromEntries(Object.keys(functions).map((name) => [name, bundle]));
    };
    const app = new App({ context, outdir: join(directory, "cdk.out") });
    const stack = new TicketingStack(app, Settings.parse(given), {
      bundleFunctions,
      website: { reference, developerArea },
    });
    const template: Template = app.synth().getStackArtifact(stack.artifactId).template;
    const findings = new AwsSolutionsChecks(app).validateScope(app).violations;
    return { template, entryPoints, findings, isProtected: stack.terminationProtection };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
