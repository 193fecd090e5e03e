import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";

/** A part of a template: JSON without a declared shape. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Template {
  Resources: Record<string, Json>;
  Outputs: Record<string, Json>;
}

export interface Synthesis {
  /** Both stacks in one, where the API stack refers directly to the resources of the data stack. */
  template: Template;
  /** The stacks as they are deployed. */
  stacks: { data: Template; api: Template };
  /** The entry point of each function's bundle. */
  entryPoints: Record<string, string>;
  /** The findings of cdk-nag. */
  findings: unknown[];
  isProtected: { data: boolean | undefined; api: boolean | undefined };
}

/** The template and findings of a stack with these settings. A run of the tests synthesises the same settings once. */
export async function synthesise(settings: Record<string, unknown>): Promise<Synthesis> {
  const outgoing = request({ socketPath: process.env.TEST_SYNTHESIS_SOCKET, method: "POST", agent: false });
  outgoing.end(JSON.stringify(settings));
  const [incoming] = await once(outgoing, "response");
  const body = await text(incoming);
  if (incoming.statusCode !== 200) throw new Error(body);
  return JSON.parse(body);
}

/** The resources of a type, by logical id. */
export function resourcesOf(template: Template, type: string): [string, Json][] {
  return Object.entries(template.Resources).filter(([, { Type }]) => Type === type);
}

/** The only resource of a type. */
export function only(template: Template, type: string): Json {
  const [first, ...others] = resourcesOf(template, type);
  if (!first || others.length > 0) throw new Error(`Expected exactly one ${type}.`);
  return first[1];
}

/** The OpenAPI document that defines the API. */
export function definitionOf(template: Template): Json {
  return only(template, "AWS::ApiGateway::RestApi").Properties.Body;
}

/** The function whose live alias a value refers to, or contains by name, such as an integration's URI. */
export function functionIn(template: Template, value: Json): { id: string; properties: Json } {
  const text = JSON.stringify(value);
  const ids = [...text.matchAll(/"Ref":"(\w+)"/g)].map(([, id]) => String(id));
  const alias = ids.find((candidate) => template.Resources[candidate]?.Type === "AWS::Lambda::Alias");
  const [named] =
    resourcesOf(template, "AWS::Lambda::Function").find(
      ([, { Properties }]) => Properties.FunctionName && text.includes(`:function:${Properties.FunctionName}:live/`),
    ) ?? [];
  const id = alias === undefined ? named : template.Resources[alias].Properties.FunctionName.Ref;
  if (id === undefined) throw new Error("The value names no function.");
  return { id, properties: template.Resources[id].Properties };
}

/** Everything that a function's role allows. */
export function statementsOf(template: Template, { properties }: { properties: Json }): Json[] {
  const roleId = properties.Role["Fn::GetAtt"][0];
  const { Policies, ManagedPolicyArns = [] } = template.Resources[roleId].Properties;
  const others = resourcesOf(template, "AWS::IAM::Policy").filter(([, policy]) =>
    policy.Properties.Roles.some(({ Ref }: Json) => Ref === roleId),
  );
  if (others.length + ManagedPolicyArns.length > 0)
    throw new Error("The role has policies that this function does not read.");
  return Policies.flatMap(({ PolicyDocument }: Json) => PolicyDocument.Statement);
}

/** The policy statements of every role, with the id of the resource that has them. */
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
