import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { Settings } from "../../lib/settings.ts";
import { TicketingStack } from "../../lib/ticketingStack.ts";

/** A part of a template: JSON of no declared shape. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Template {
  Resources: Record<string, Json>;
  Outputs: Record<string, Json>;
}

const { context } = JSON.parse(readFileSync("cdk.json", "utf8"));

/** Small files in place of the bundles and of the website, so that nothing needs to be built, and templates hold no hash that changes. */
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

/** What a stack with these settings would deploy. */
export function synthesise(given: Record<string, unknown>) {
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

/** The resources of a type, by logical id. */
export function resourcesOf(template: Template, type: string): [string, Json][] {
  return Object.entries(template.Resources).filter(([, { Type }]) => Type === type);
}

/** The only resource of a type. */
export function only(template: Template, type: string): Json {
  const [first, ...others] = resourcesOf(template, type);
  if (!first || others.length > 0) throw new Error(`There is not just one ${type}.`);
  return first[1];
}

/** The methods of the API, each with its path. */
export function methodsOf(template: Template): { path: string; properties: Json }[] {
  return resourcesOf(template, "AWS::ApiGateway::Method").map(([, { Properties }]) => ({
    path: pathOf(template, Properties.ResourceId) || "/",
    properties: Properties,
  }));
}

function pathOf(template: Template, id: Json): string {
  const resource = template.Resources[id.Ref];
  return resource?.Type === "AWS::ApiGateway::Resource"
    ? `${pathOf(template, resource.Properties.ParentId)}/${resource.Properties.PathPart}`
    : "";
}

/** The function of which a value, such as an integration's URI, names what is live. */
export function functionIn(template: Template, value: Json): { id: string; properties: Json } {
  const ids = [...JSON.stringify(value).matchAll(/"Ref":"(\w+)"/g)].map(([, id]) => String(id));
  const alias = ids.find((candidate) => template.Resources[candidate]?.Type === "AWS::Lambda::Alias");
  if (alias === undefined) throw new Error("There is no alias.");
  const id = template.Resources[alias].Properties.FunctionName.Ref;
  return { id, properties: template.Resources[id].Properties };
}

/** Everything that a function's role allows. */
export function statementsOf(template: Template, { properties }: { properties: Json }): Json[] {
  const roleId = properties.Role["Fn::GetAtt"][0];
  const { Policies, ManagedPolicyArns = [] } = template.Resources[roleId].Properties;
  const others = resourcesOf(template, "AWS::IAM::Policy").filter(([, policy]) =>
    policy.Properties.Roles.some(({ Ref }: Json) => Ref === roleId),
  );
  if (others.length + ManagedPolicyArns.length > 0) throw new Error("Policies stand where they are not looked for.");
  return Policies.flatMap(({ PolicyDocument }: Json) => PolicyDocument.Statement);
}

/** Everything that anything allows or denies by a role, each with the id of the resource that says so. */
export function statementsById(template: Template): [string, Json[]][] {
  const ofRoles = resourcesOf(template, "AWS::IAM::Role").flatMap(([id, { Properties }]) =>
    (Properties.Policies ?? []).map(({ PolicyDocument }: Json) => [id, PolicyDocument.Statement]),
  );
  const ofPolicies = resourcesOf(template, "AWS::IAM::Policy").map(([id, { Properties }]): [string, Json[]] => [
    id,
    Properties.PolicyDocument.Statement,
  ]);
  return [...ofRoles, ...ofPolicies];
}

/** The logical id of a log group, a table or a bucket that a value refers to. */
export function idIn(value: Json): string {
  return value.Ref ?? value["Fn::GetAtt"][0];
}
