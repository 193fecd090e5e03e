import { Fn, Stack } from "aws-cdk-lib";
import type { Construct } from "constructs";

/**
 * A secret's name, with the stack's unique id: Secrets Manager may keep the name of a deleted secret for weeks, which would prevent
 * creating the stack again.
 */
export function secretName(scope: Construct, name: string): string {
  const { stackName, stackId } = Stack.of(scope);
  return `${stackName}-${name}-${Fn.select(2, Fn.split("/", stackId))}`;
}
