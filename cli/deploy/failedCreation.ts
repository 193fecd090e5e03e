import {
  type CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
  type Stack,
  UpdateTerminationProtectionCommand,
} from "@aws-sdk/client-cloudformation";
import type { Stage } from "../../lib/settings.ts";

/** A stage's stacks whose creation failed. Such a stack has never been complete, so it contains no data. */
export async function failedCreations(client: CloudFormationClient, stage: Stage): Promise<Stack[]> {
  const names = [`ticketing-${stage}-data`, `ticketing-${stage}`];
  const stacks = await Promise.all(names.map((name) => find(client, name)));
  return stacks
    .flat()
    .filter(({ StackStatus }) => StackStatus === "ROLLBACK_COMPLETE" || StackStatus === "ROLLBACK_FAILED");
}

async function find(client: CloudFormationClient, StackName: string): Promise<Stack[]> {
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    return Stacks;
  } catch (error) {
    // CloudFormation has no other code for a stack that does not exist.
    if (error instanceof CloudFormationServiceException && /does not exist/.test(error.message)) return [];
    throw error;
  }
}

/**
 * Turns off the termination protection of a stage's stacks whose creation failed: the CDK sets the protection before the stack has any
 * resource, and then cannot delete the stack to create it again.
 *
 * @returns the stacks that were protected.
 */
export async function unprotectFailedCreations(client: CloudFormationClient, stage: Stage): Promise<Stack[]> {
  const failed = await failedCreations(client, stage);
  const blocking = failed.filter(({ EnableTerminationProtection }) => EnableTerminationProtection);
  for (const { StackName } of blocking)
    await client.send(new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: false }));
  return blocking;
}
