import * as z from "zod";
import type { Settings } from "../../lib/settings.ts";
import { command, flag, type Io, option } from "../shared/command.ts";
import { deployedStack, misplaced, settingsIn } from "../shared/target.ts";

const about = `Compares deploy/stages/NAME.json with the deployed stage. Run it before a deployment: it finds credentials or a region that differ from
the file, and a stage that is missing there.
Reads only CloudFormation's stacks, with the usual AWS credentials and region.
Exit codes: 0 the file agrees with the stage, 1 it does not, 2 failed, 130 interrupted.`;

const Options = z.object({
  stage: option(z.string("--stage is missing."), "NAME", "the stage"),
  new: flag("this is the stage's first deployment"),
});

export const main = command({ name: "stage check", Options, about }, run);

async function run({ stage, new: isNew }: z.infer<typeof Options>, { stdout }: Io): Promise<number> {
  const settings = settingsIn(stage);
  const stack = await deployedStack(`ticketing-${stage}-data`);
  const { fault, agreement } =
    stack?.outputs.TableName === undefined
      ? await checkNew(settings, isNew)
      : {
          fault: misplaced(stack, settings),
          agreement: `deploy/stages/${stage}.json agrees with the deployed stage: account ${stack.account}, ${stack.region}.`,
        };
  stdout.write(`${fault ?? agreement}\n`);
  return fault === undefined ? 0 : 1;
}

/** Without a complete data stack, the CDK's bootstrap stack shows where the credentials and the region lead. */
async function checkNew(
  settings: Settings,
  isNew: boolean,
): Promise<{ fault?: string | undefined; agreement?: string }> {
  const bootstrap = await deployedStack("CDKToolkit");
  if (bootstrap === undefined)
    return {
      fault: "The CDK is not bootstrapped in the account and region of these credentials. Are they the right ones?",
    };
  const place = `account ${bootstrap.account}, ${bootstrap.region}`;
  const fault = misplaced(bootstrap, settings);
  if (fault !== undefined) return { fault };
  return isNew
    ? { agreement: `The stage ${settings.stage} will be new in ${place}.` }
    : { fault: `The stage ${settings.stage} is not deployed in ${place}. If this is its first deployment, add --new.` };
}
