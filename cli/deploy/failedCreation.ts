import {
  type CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
  type Stack,
  UpdateTerminationProtectionCommand,
} from "@aws-sdk/client-cloudformation";
import type { Stage } from "../../lib/settings.ts";

/** A stack whose creation failed. It has never been complete, so it contains no data. */
export interface FailedCreation {
  name: string;
  status: string;
  isProtected: boolean;
}

/** A stage's stacks whose creation failed. */
export async function failedCreations(client: CloudFormationClient, stage: Stage): Promise<FailedCreation[]> {
  const names = [`ticketing-${stage}-data`, `ticketing-${stage}`];
  const stacks = await Promise.all(names.map((name) => find(client, name)));
  return stacks
    .filter((stack) => stack !== undefined)
    .map(({ StackName: name = "", StackStatus: status = "", EnableTerminationProtection }) => ({
      name,
      status,
      isProtected: EnableTerminationProtection === true,
    }))
    .filter(({ status }) => status === "ROLLBACK_COMPLETE" || status === "ROLLBACK_FAILED");
}

async function find(client: CloudFormationClient, StackName: string): Promise<Stack | undefined> {
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName }));
    return Stacks?.[0];
  } catch (error) {
    // CloudFormation has no other code for a stack that does not exist.
    if (error instanceof CloudFormationServiceException && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
}

/**
 * Turns off the termination protection of a stage's stacks whose creation failed: the CDK sets the protection before the stack has any
 * resource, and then cannot delete the stack to create it again.
 *
 * @returns the stacks that were protected.
 */
export async function unprotectFailedCreations(client: CloudFormationClient, stage: Stage): Promise<FailedCreation[]> {
  const blocking = (await failedCreations(client, stage)).filter(({ isProtected }) => isProtected);
  for (const { name: StackName } of blocking)
    await client.send(new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: false }));
  return blocking;
}
