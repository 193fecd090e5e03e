import { Fn, type IResource, Stack } from "aws-cdk-lib";
import type { CfnBucket, IBucket } from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";

/**
 * How cdk-nag's findings name an attribute of a resource in the data stack.
 *
 * @param output the name of the output through which CDK passes the attribute to the API stack.
 */
export function dataStackOutput(resource: IResource, output: string): string {
  const { stackName } = Stack.of(resource);
  const reference = { StackName: stackName, Region: { Ref: "AWS::Region" }, OutputName: output };
  return JSON.stringify({ "Fn::GetStackOutput": reference });
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
