import { Fn, type IResource, Stack } from "aws-cdk-lib";
import { flattenCfnReference } from "cdk-nag/lib/utils/flatten-cfn-reference.js";
import type { Construct, IConstruct } from "constructs";

/** The outputs through which the CDK passes ARNs of the data stack to the API stack. Synthesis fails, with the new name, if one changes. */
const outputNames = {
  table: "PublishOutputFnGetAttDataTableFDBAD0F2ArnBDD11FA6",
  importBucket: "PublishOutputFnGetAttImportBucket64DA19A7Arn9B44F9D3",
};

/** cdk-nag's finding about a part of a resource of the data stack. */
export function dataStackFinding(resource: IResource, name: keyof typeof outputNames, part: string): string {
  const { stackName, region } = Stack.of(resource);
  const output = Stack.of(resource).resolve({ StackName: stackName, Region: region, OutputName: outputNames[name] });
  return `AwsSolutions-IAM5[Resource::${JSON.stringify({ "Fn::GetStackOutput": output })}${part}]`;
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
