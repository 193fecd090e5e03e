import { commandWithArguments, type Io } from "../shared/command.ts";
import { accountChecks } from "./accountChecks.ts";
import { deploymentArguments } from "./deploymentArguments.ts";
import { openAccount } from "./openAccount.ts";
import { runChecks } from "./runChecks.ts";

const usage = `npm run deploy:check -- [-c stage=NAME] [-c NAME=VALUE …] [--profile NAME]
  the same arguments as npm run deploy

Checks, without changing anything, whether the account is ready for a stage.
Exit codes: 0 ready, 1 not ready, 2 failed, 130 interrupted.`;

export const main = await commandWithArguments(import.meta, { usage }, run);

async function run(args: string[], io: Io): Promise<number> {
  const { settings, profile } = deploymentArguments(args);
  const account = await openAccount(profile, "lookup");
  io.stdout.write(
    `ok    Credentials: account ${account.id}, region ${account.region}, reading as ${account.actsAs}.\n`,
  );
  return runChecks(accountChecks(account, settings), io);
}
