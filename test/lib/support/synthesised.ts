import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { routes as endpoints } from "../../../functions/mcp/routes.ts";
import { ApiStack } from "../../../lib/apiStack.ts";
import { DataStack } from "../../../lib/dataStack.ts";
import { Settings } from "../../../lib/settings.ts";
import type { Json, Synthesis, Template } from "./synthesise.ts";

const { context } = JSON.parse(readFileSync("cdk.json", "utf8"));

/** Small files replace the bundles and the website, so that nothing needs a build and templates have no changing hashes. */
const reference = [
  { path: "/docs", contentType: "text/html", body: "page", cacheControl: "public, no-cache" },
  { path: "/docs/reference.js", contentType: "text/javascript", body: "1;", cacheControl: "public, no-cache" },
  {
    path: "/docs/chunk.js",
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

export function synthesised(given: Record<string, unknown>): Synthesis {
  const directory = mkdtempSync(join(tmpdir(), "synthesise-"));
  try {
    let entryPoints: Record<string, string> = {};
    const bundleFunctions = (functions: Record<string, string>) => {
      entryPoints = { ...entryPoints, ...functions };
      const bundle = join(directory, "bundle");
      mkdirSync(bundle, { recursive: true });
      writeFileSync(join(bundle, "index.js"), "");
      return Object.fromEntries(Object.keys(functions).map((name) => [name, bundle]));
    };
    // Nothing reads the tree, which takes an eighth of the time.
    const app = new App({
      context,
      outdir: join(directory, "cdk.out"),
      treeMetadata: false,
      builtinCloudFormationValidation: false,
    });
    const settings = Settings.parse({ ...(given.stage !== "dev" && { alarmEmails: "ops@example.org" }), ...given });
    const dataStack = new DataStack(app, settings);
    const apiStack = new ApiStack(app, settings, dataStack, {
      endpoints,
      bundleFunctions,
      website: { reference, developerArea },
    });
    const assembly = app.synth();
    const [data, api] = [dataStack, apiStack].map(
      ({ artifactId }): Template => assembly.getStackArtifact(artifactId).template,
    );
    if (!data || !api) throw new Error("A stack was not synthesised.");
    const findings = new AwsSolutionsChecks(app).validateScope(app).violations;
    const isProtected = { data: dataStack.terminationProtection, api: apiStack.terminationProtection };
    return { template: stageOf(data, api), stacks: { data, api }, entryPoints, findings, isProtected };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Both stacks in one template, where the API stack refers directly to the resources behind the outputs of the data stack. */
function stageOf(data: Template, api: Template): Template {
  const text = JSON.stringify(api, (_name, value: Json) => {
    const output = value?.["Fn::GetStackOutput"]?.OutputName;
    return output === undefined ? value : data.Outputs[output].Value;
  });
  // In dev, both stacks have CDK's function that empties buckets.
  const common = Object.keys(api.Resources).filter((id) => id in data.Resources);
  const renamed = common.reduce((renaming, id) => renaming.replaceAll(`"${id}"`, `"OfApi${id}"`), text);
  const { Resources, Outputs }: Template = JSON.parse(renamed);
  return { Resources: { ...data.Resources, ...Resources }, Outputs: { ...data.Outputs, ...Outputs } };
}
