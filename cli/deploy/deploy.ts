import { spawn } from "node:child_process";
import { once } from "node:events";
import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { UsageError } from "../../local/usageError.ts";
import { commandWithArguments, type Io } from "../shared/command.ts";
import { deploymentArguments } from "./deploymentArguments.ts";
import { unprotectFailedCreations } from "./failedCreation.ts";
import { openAccount } from "./openAccount.ts";

const usage = `npm run deploy -- [-c stage=NAME] [-c NAME=VALUE …] [options of cdk deploy]
  -c NAME=VALUE   a setting of the stage; docs/operators/deployment.md lists them

Deploys both stacks of a stage with the CDK. If their first creation failed, deletes what remains and creates them again.
Exit codes: those of cdk deploy, 2 if the CDK could not be started, 130 interrupted.`;

const interrupted = "Interrupted. CloudFormation continues the deployment.";

export const main = await commandWithArguments(import.meta, { usage, interrupted }, run);

async function run(args: string[], { stdout }: Io): Promise<number> {
  const { settings, profile } = deploymentArguments(args);
  const { config } = await openAccount(profile, "deploy");
  const stacks = await unprotectFailedCreations(new CloudFormationClient(config), settings.stage);
  for (const { StackName, StackStatus } of stacks)
    stdout.write(
      `The creation of ${StackName} failed (${StackStatus}); turned off its termination protection, so that it can be created again.\n`,
    );
  return deployWithCdk(args);
}

async function deployWithCdk(args: string[]): Promise<number> {
  const child = spawn("cdk", ["deploy", "--all", ...args], { stdio: "inherit", env: process.env });
  try {
    const [code] = await once(child, "close");
    // A signal ended it.
    return code ?? 1;
  } catch (error) {
    throw new UsageError("Found no CDK; run npm ci, and start this command with npm run deploy.", { cause: error });
  }
}
