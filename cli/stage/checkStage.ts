import * as z from "zod";
import { restoredTableOutput, type Settings } from "../../lib/settings.ts";
import { command, flag, type Io, option } from "../shared/command.ts";
import { deployedStack, misplaced, settingsIn } from "../shared/target.ts";

const about = `Compares deploy/stages/NAME.json with the deployed stage. Run it before a deployment: it finds credentials or a region that differ from
the file, a stage that is missing there, and a restored table that the stage uses but the file lacks, so that the deployment would remove it.
Reads only CloudFormation's stacks, with the usual AWS credentials and region.
Exit codes: 0 the file agrees with the stage, or names the change, 1 it does not, 2 failed, 130 interrupted.`;

const Options = z.object({
  stage: option(z.string("--stage is missing."), "NAME", "the stage"),
  new: flag("this is the stage's first deployment"),
});

export const main = command({ name: "stage check", Options, about }, run);

async function run({ stage, new: isNew }: z.infer<typeof Options>, { stdout }: Io): Promise<number> {
  const settings = settingsIn(stage);
  const stack = await deployedStack(`ticketing-${stage}-data`);
  const restoredTable = stack?.outputs[restoredTableOutput];
  const { fault, agreement } =
    stack === undefined || restoredTable === undefined
      ? await checkNew(settings, isNew)
      : {
          fault: misplaced(stack, settings) ?? difference(restoredTable, settings),
          agreement: `deploy/stages/${stage}.json agrees with the deployed stage: account ${stack.account}, ${stack.region}, restored table ${restoredTable}.`,
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

/** The problem if a deployment with these settings would take a table away by mistake; undefined if it would not. */
function difference(deployed: string, { restoredTableStream: written, formerTableArn }: Settings): string | undefined {
  if (deployed === (written ?? "none")) return undefined;
  if (written === undefined)
    return `The stage uses the restored table of restoredTableStream ${deployed}, which the file lacks. Add it, or null if the stack has imported that table.`;
  const [arn] = deployed.split("/stream/");
  if (deployed === "none" || formerTableArn === arn) return undefined;
  return `The stage uses ${arn} until this deployment. Set formerTableArn to it, so that requests do not fail during the deployment.`;
}
