import { type IResource, Stack } from "aws-cdk-lib";

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
