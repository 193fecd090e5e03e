import { resolve } from "node:path";
import type { Json, Template } from "../lib/synthesise.ts";

/*
 * What the emulator does not do, and what of the template is therefore left out or changed before it gets it. All of it is asserted in the
 * template itself, by the tests of test/lib that are named.
 */

/** Resources that it does not have, or cannot make, by type; an alarm on metric math by a name of its own. */
export const leftOut: Readonly<Record<string, string>> = {
  "AWS::Cognito::ManagedLoginBranding": "It does not know the type. signIn.test.ts asserts it.",
  "AWS::WAFv2::WebACLAssociation":
    "It does not know the type, so the web ACL is made and stands before nothing. webAcl.test.ts asserts it.",
  "AWS::Pipes::Pipe":
    "It does not know the type, so no event leaves. outgoingEvents.test.ts asserts the pipe, and the local service sends the events.",
  "AWS::CloudWatch::Alarm with metric math":
    "It makes alarms on single metrics alone. observability.test.ts evaluates every alarm by its own definition.",
  "Custom::CDKBucketDeployment":
    "The CDK's function for it needs the AWS command line in a layer, which is not installed here. website.test.ts asserts what is deployed.",
};

/** Journeys that cannot succeed there, by name. */
export const journeysLeftOut: Readonly<Record<string, string>> = {
  "no endpoint is at its path with a slash too many, or without an id":
    "It takes no notice of empty parts of a path. endpoints.test.ts asserts the paths, and the local service takes notice.",
  "every answer over 1 KB is compressed where the client takes gzip, and no other":
    "It does not compress. gateway.test.ts asserts from which size on the gateway does.",
};

function nameOf({ Type, Properties }: Json): string {
  return Type === "AWS::CloudWatch::Alarm" && Properties.Metrics ? `${Type} with metric math` : Type;
}

/** Where Cognito is, by the tokens that it issues. */
const cognito = (region: string) => `https://cognito-idp.${region}.amazonaws.com`;

/** Changes of single properties, each with its reason. */
export function changed(template: Template, { endpoint, region }: { endpoint: string; region: string }): Template {
  const text = JSON.stringify(template, (_name, value) => {
    const [id, attribute] = value?.["Fn::GetAtt"] ?? [];
    // It does not know this attribute of a user pool.
    return attribute === "ProviderURL" ? { "Fn::Join": ["", [`${cognito(region)}/`, { Ref: id }]] } : value;
  });
  const copy: Template = JSON.parse(text);
  for (const { Type, Properties } of Object.values(copy.Resources)) {
    if (Type === "Custom::S3AutoDeleteObjects") letEmptyBuckets(copy, Properties.ServiceToken, endpoint);
    // The first password that it makes has fewer characters than ours must have.
    if (Type === "AWS::Cognito::UserPool") Properties.Policies.PasswordPolicy.MinimumLength = 8;
    // It fills no variable into a mock's answer: all of them have this id.
    if (Type === "AWS::ApiGateway::Method" && Properties.Integration.Type === "MOCK") {
      const { IntegrationResponses } = Properties.Integration;
      const text = JSON.stringify(IntegrationResponses).replaceAll('"context.requestId"', `"'no-id'"`);
      Properties.Integration.IntegrationResponses = JSON.parse(text.replaceAll("$context.requestId", "no-id"));
    }
    const variables = Type === "AWS::Lambda::Function" && Properties.Environment?.Variables;
    // It is as fast as this machine and what else that does; what happens when a table is slow, the tests of faults tell.
    if (variables?.TABLE_NAME) {
      variables.DYNAMODB_TIMEOUT_MS = "10000";
      Properties.Timeout = 30;
    }
    // It issues tokens in Cognito's name, and tells the keys for them at its own address.
    if (variables?.SIGN_IN_ISSUER) variables.NODE_OPTIONS = `--import ${redirection(cognito(region), endpoint)}`;
  }
  return copy;
}

/**
 * CDK's function that empties buckets finds the SDK in Lambda's runtime, and answers CloudFormation by https at an address without a port. The
 * emulator's runtime is this machine's Node, and it listens elsewhere.
 */
function letEmptyBuckets({ Resources }: Template, serviceToken: Json, endpoint: string): void {
  const program = `import h from"node:http";import s from"node:https";s.request=(o,f)=>h.request({...o,port:${new URL(endpoint).port}},f)`;
  Resources[serviceToken["Fn::GetAtt"][0]].Properties.Environment = {
    Variables: { NODE_PATH: resolve("node_modules"), NODE_OPTIONS: `--import ${moduleOf(program)}` },
  };
}

/** A module that makes requests to one origin go to another. */
function redirection(from: string, to: string): string {
  const program = `const f=fetch;globalThis.fetch=(u,o)=>f(String(u).replace("${from}","${to}"),o)`;
  return moduleOf(program);
}

function moduleOf(program: string): string {
  return `data:text/javascript,${encodeURIComponent(program)}`;
}

/** The template without the resources that are left out. */
export function withoutGaps(template: Template): Template {
  const gone = new Set(
    Object.entries(template.Resources).flatMap(([id, resource]) => (nameOf(resource) in leftOut ? [id] : [])),
  );
  const kept = Object.entries(template.Resources).filter(([id]) => !gone.has(id));
  const Resources = kept.map(([id, { DependsOn = [], ...resource }]): [string, Json] => {
    const others = [DependsOn].flat().filter((other: string) => !gone.has(other));
    return [id, { ...resource, ...(others.length > 0 && { DependsOn: others }) }];
  });
  return { ...template, Resources: Object.fromEntries(Resources) };
}
