import { resolve } from "node:path";
import type { Json, Template } from "../../lib/support/synthesise.ts";

/*
 * The gaps of the emulator, and the parts of the template that are therefore left out or changed. The named tests of test/lib
 * check the template itself.
 */

/** Resources that the emulator cannot create, by type, with an extra name for alarms on metric math. */
export const leftOut: Readonly<Record<string, string>> = {
  "AWS::Cognito::ManagedLoginBranding": "It does not support the type.",
  "AWS::WAFv2::WebACLAssociation":
    "It does not support the type, so the web ACL exists but protects nothing. webAcl.slow.test.ts checks it.",
  "AWS::Pipes::Pipe":
    "It does not support the type, so no events are sent. stacks.test.ts lists the pipe, and the local service sends the events.",
  "AWS::XRay::SamplingRule": "It does not support the type.",
  "AWS::Logs::QueryDefinition": "It does not support the type. dashboard.test.ts checks the query.",
  "AWS::CloudWatch::Alarm with metric math":
    "It only makes alarms on single metrics. alarms.test.ts evaluates every alarm by its own definition.",
  "Custom::CDKBucketDeployment":
    "The CDK's function for it needs the AWS command line in a layer, which is not installed here. website.test.ts checks the deployed files.",
};

const joinedLines = "It joins a header's lines. lambda.test.ts checks them, and the local service does not join them.";

/** Promises that cannot be kept in the emulator, by name. */
export const promisesLeftOut: Readonly<Record<string, string>> = {
  "a path with an extra slash or without its id is not found":
    "It ignores empty parts of a path. endpoints.test.ts checks the paths, and the local service does not ignore them.",
  "a response is compressed only if it is over 1 KB and the client accepts gzip":
    "It does not compress. gateway.test.ts checks the size from which the gateway does.",
  "a second Authorization line gets 400, even if it is equal": joinedLines,
};

function nameOf({ Type, Properties }: Json): string {
  return Type === "AWS::CloudWatch::Alarm" && Properties.Metrics ? `${Type} with metric math` : Type;
}

/** Cognito's address in the tokens that it issues. */
const cognito = (region: string) => `https://cognito-idp.${region}.amazonaws.com`;

/** Changes of single properties, each with its reason. */
export function changed(
  template: Template,
  { endpoint, region, baseUrl }: { endpoint: string; region: string; baseUrl: string },
): Template {
  const text = JSON.stringify(template, (_name, value) => {
    const [id, attribute] = value?.["Fn::GetAtt"] ?? [];
    // The emulator does not support this attribute of a user pool.
    return attribute === "ProviderURL" ? { "Fn::Join": ["", [`${cognito(region)}/`, { Ref: id }]] } : value;
  });
  const copy: Template = JSON.parse(text);
  for (const { Type, Properties } of Object.values(copy.Resources)) {
    if (Type === "Custom::S3AutoDeleteObjects") letEmptyBuckets(copy, Properties.ServiceToken, endpoint);
    // The emulator's CloudFront cannot reach the API.
    if (Type === "AWS::ApiGateway::Stage" && Properties.Variables) Properties.Variables = { baseUrl };
    // The first password that the emulator makes is shorter than our policy allows.
    if (Type === "AWS::Cognito::UserPool") Properties.Policies.PasswordPolicy.MinimumLength = 8;
    // The emulator does not fill variables into a mock's response, so all have this id.
    if (Type === "AWS::ApiGateway::Method" && Properties.Integration.Type === "MOCK") {
      const { IntegrationResponses } = Properties.Integration;
      const text = JSON.stringify(IntegrationResponses).replaceAll('"context.requestId"', `"'no-id'"`);
      Properties.Integration.IntegrationResponses = JSON.parse(text.replaceAll("$context.requestId", "no-id"));
    }
    const variables = Type === "AWS::Lambda::Function" && Properties.Environment?.Variables;
    // The emulator only looks for the words of a pattern.
    if (Type === "AWS::Logs::SubscriptionFilter") Properties.FilterPattern = "request key_id";
    // Receivers of tests are on this machine.
    if (variables && /webhook/i.test(Properties.Description)) variables.WEBHOOKS_ALLOW_LOOPBACK = "yes";
    // The emulator's speed depends on this machine's load. test/large covers slow tables.
    if (variables?.TABLE_NAME) {
      variables.DYNAMODB_TIMEOUT_MS = "10000";
      Properties.Timeout = 30;
    }
    // The emulator issues tokens in Cognito's name but serves their keys at its own address.
    if (variables?.SIGN_IN) variables.NODE_OPTIONS = `--import ${redirection(cognito(region), endpoint)}`;
  }
  return copy;
}

/**
 * CDK's function that empties buckets expects the SDK in the runtime, and responds to CloudFormation by HTTPS at an address without a port.
 * The emulator's runtime is this machine's Node, and it listens at another port.
 */
function letEmptyBuckets({ Resources }: Template, serviceToken: Json, endpoint: string): void {
  const program = `import h from"node:http";import s from"node:https";s.request=(o,f)=>h.request({...o,port:${new URL(endpoint).port}},f)`;
  Resources[serviceToken["Fn::GetAtt"][0]].Properties.Environment = {
    Variables: { NODE_PATH: resolve("node_modules"), NODE_OPTIONS: `--import ${moduleOf(program)}` },
  };
}

/** A module that redirects requests from one origin to another. */
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
