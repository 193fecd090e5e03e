import * as z from "zod";
import { UsageError } from "../../common/usageError.ts";
import { restoredTableOutput, type Settings, settingsOf } from "../../lib/settings.ts";
import { command, type Io } from "../shared/command.ts";
import { stageOutputs } from "../shared/target.ts";

const usage = `npm run stage:check -- --stage NAME
  --stage NAME   compare stages/NAME.json with the deployed stage, with the usual AWS credentials and region

Run it before a deployment: it finds a restored table that the stage uses and the file does not name, so that the deployment would take it away.
It reads only the outputs of the stage's data stack.
Exit codes: 0 the file agrees with the stage, or names the change, 1 it does not, 2 failed, 130 interrupted.`;

const Options = z.object({ stage: z.string("--stage is missing.") });

export const main = await command(import.meta, { usage, Options }, run);

async function run({ stage }: z.infer<typeof Options>, { stdout }: Io): Promise<number> {
  const { settings, problem } = settingsOf({ stage });
  if (!settings) throw new UsageError(String(problem));
  const deployed = (await stageOutputs(stage))?.[restoredTableOutput];
  if (deployed === undefined) {
    stdout.write(
      `The stage ${stage} is not deployed, or its version does not report its table. Nothing was compared.\n`,
    );
    return 0;
  }
  const fault = difference(deployed, settings);
  stdout.write(`${fault ?? `stages/${stage}.json agrees with the deployed stage: restored table ${deployed}.`}\n`);
  return fault === undefined ? 0 : 1;
}

/** Why a deployment with these settings would take a table away by mistake; undefined if it would not. */
function difference(deployed: string, { restoredTableStream: written, formerTableArn }: Settings): string | undefined {
  if (deployed === (written ?? "none")) return undefined;
  if (written === undefined)
    return `The stage uses the restored table of restoredTableStream ${deployed}, which the file lacks. Add it, or null to go back to the stage's own table.`;
  const [arn] = deployed.split("/stream/");
  if (deployed === "none" || formerTableArn === arn) return undefined;
  return `The stage uses ${arn} until this deployment. Set formerTableArn to it, so that requests do not fail meanwhile.`;
}
