import { CfnOutput, Fn, type IResource, Stack, Token } from "aws-cdk-lib";
import { flattenCfnReference } from "cdk-nag/lib/utils/flatten-cfn-reference.js";
import { Construct, type IConstruct } from "constructs";

/**
 * The name of an ARN of the data stack in cdk-nag's findings: the output through which the CDK passes it to the API stack. The CDK adds outputs
 * last, so their ids come from outputs with the same paths in a stack that is not used.
 */
export function dataStackArn(resource: IResource, arn: string): string {
  if (!Token.isUnresolved(arn)) return arn;
  const { stackName, region } = Stack.of(resource);
  const path = `Output${JSON.stringify(Stack.of(resource).resolve(arn))}`;
  const unused = new Stack();
  const { logicalId } = new CfnOutput(new Construct(unused, "Publish"), path, { value: arn });
  const output = { StackName: stackName, Region: region, OutputName: unused.resolve(logicalId) };
  return JSON.stringify({ "Fn::GetStackOutput": Stack.of(resource).resolve(output) });
}

/** cdk-nag's finding about a resource of the same stack, whose ARN has a wildcard. */
export function wildcardFinding(scope: IConstruct, arn: string): string {
  return `AwsSolutions-IAM5[Resource::${flattenCfnReference(Stack.of(scope).resolve(arn))}]`;
}

/** Contains the stack's unique id: Secrets Manager may keep a deleted secret's name for weeks, which would block creating the stack again. */
export function secretName(scope: Construct, name: string): string {
  const { stackName, stackId } = Stack.of(scope);
  return `${stackName}-${name}-${Fn.select(2, Fn.split("/", stackId))}`;
}
