import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** A part of a template: JSON of no declared shape. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Template {
  Resources: Record<string, Json>;
  Outputs: Record<string, Json>;
}

export type Synthesis = ReturnType<typeof import("./synthesiseAnew.ts").synthesiseAnew>;

/**
 * What a stack with these settings would deploy. It takes seconds, as does loading the CDK: within one run of the tests it is done once for
 * the same settings, by the first file that asks.
 */
export function synthesise(given: Record<string, unknown>): Synthesis {
  const { TEST_RUN_DIRECTORY: directory } = process.env;
  if (directory === undefined) return anew(given);
  const kept = join(directory, `${createHash("sha256").update(JSON.stringify(given)).digest("hex")}.json`);
  if (!existsSync(kept)) {
    const own = `${kept}.${process.pid}`;
    writeFileSync(own, JSON.stringify(anew(given)));
    // Another file that is at it at the same time gets the same.
    renameSync(own, kept);
  }
  return JSON.parse(readFileSync(kept, "utf8"));
}

function anew(given: Record<string, unknown>): Synthesis {
  const module: typeof import("./synthesiseAnew.ts") = createRequire(import.meta.url)("./synthesiseAnew.ts");
  return module.synthesiseAnew(given);
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
