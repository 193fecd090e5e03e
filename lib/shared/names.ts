import { Fn, type IResource, Stack, Token } from "aws-cdk-lib";
import type { CfnBucket, IBucket } from "aws-cdk-lib/aws-s3";
import type { Construct, IConstruct } from "constructs";

/**
 * How cdk-nag's findings name an attribute of a resource in the data stack.
 *
 * @param output the name of the output through which CDK passes the attribute to the API stack.
 */
export function dataStackOutput(resource: IResource, output: string): string {
  const stack = Stack.of(resource);
  const reference = { StackName: stack.stackName, Region: stack.resolve(stack.region), OutputName: output };
  return JSON.stringify({ "Fn::GetStackOutput": reference });
}

/** A finding with pseudo parameters, as cdk-nag writes it: with their values if the stack's settings name its account and region. */
export function findingIn(scope: IConstruct, finding: string): string {
  const { partition, region, account } = Stack.of(scope);
  return [
    ["<AWS::Partition>", partition] as const,
    ["<AWS::Region>", region] as const,
    ["<AWS::AccountId>", account] as const,
  ].reduce((text, [name, value]) => (Token.isUnresolved(value) ? text : text.replace(name, value)), finding);
}

/** How cdk-nag's findings name the objects of a bucket in the same stack. */
export function objectsOf(bucket: IBucket): string {
  // The CDK makes every bucket with this child.
  const { logicalId } = bucket.node.defaultChild as CfnBucket;
  return `<${Stack.of(bucket).resolve(logicalId)}.Arn>/*`;
}

/**
 * A secret's name, with the stack's unique id: Secrets Manager may keep the name of a deleted secret for weeks, which would prevent
 * creating the stack again.
 */
export function secretName(scope: Construct, name: string): string {
  const { stackName, stackId } = Stack.of(scope);
  return `${stackName}-${name}-${Fn.select(2, Fn.split("/", stackId))}`;
}
