import {
  CloudFormationClient,
  paginateDescribeStacks,
  type Stack,
  UpdateTerminationProtectionCommand,
} from "@aws-sdk/client-cloudformation";
import * as z from "zod";
import { settingsOf } from "../../lib/settings.ts";
import { command, type Io } from "../shared/command.ts";
import { deployedStack, misplaced, settingsIn, stageOutput } from "../shared/target.ts";
import { UsageError } from "../shared/usageError.ts";
import { run as runCommand } from "./run.ts";
import { type Rehearsed, steps } from "./steps.ts";
import { takeSteps } from "./takeSteps.ts";

const usage = `npm run ops -- rehearse --stage NAME [--from STEP] [--receiver URL]
  --stage NAME     dev or staging; the stage must not exist
  --from STEP      go on with a rehearsal that ended before this step
  --receiver URL   a public receiver of webhooks that answers any POST with a 2xx; without it, the webhook is skipped

Deploys a stage, tries it, and removes it again, with the usual AWS credentials and region. The steps are
${Object.keys(steps).join(", ")}.
docs/operators/rehearsal.md says what each of them does. How long it takes on AWS is not known.
It prints what it saw, and writes nothing else outside the stage.
Exit codes: 0 all steps passed or were skipped, 1 one failed, 2 refused or failed, 130 interrupted.`;

const interrupted =
  "Interrupted. If steps are listed above, the last lines say how to go on, and how to remove the stage.";

const Options = z.object({
  stage: z.enum(["dev", "staging"], "--stage must be dev or staging: prod is never rehearsed."),
  from: z.enum(Object.keys(steps), `--from must be one of ${Object.keys(steps).join(", ")}.`).optional(),
  receiver: z.url({ protocol: /^https$/, error: "--receiver must be an https URL." }).optional(),
});
type Options = z.infer<typeof Options>;

/** The tag of a rehearsal's stacks. No other stage can be continued, or removed. */
const tag = "ticketing-rehearsal";

export const main = command({ usage, interrupted, Options }, run);

async function run(options: Options, io: Io): Promise<number> {
  await assertMayRehearse(options);
  return takeSteps(onAws(options, io.signal), io, { from: options.from });
}

/** @throws UsageError if the account, the region, the stage or its settings are not for a rehearsal. */
async function assertMayRehearse({ stage, from }: Options): Promise<void> {
  const settings = settingsIn(stage);
  for (const name of ["domainName", "signInIssuer", "restoredTableStream", "backupVaultArn", "monthlyBudget"] as const)
    if (settings[name] !== undefined)
      throw new UsageError(
        `A rehearsal cannot use the setting ${name} in deploy/stages/${stage}.json. Take it out of the file meanwhile.`,
      );
  const place = await deployedStack("CDKToolkit");
  if (place === undefined)
    throw new UsageError("The CDK is not bootstrapped where the credentials and the region lead. Nothing was changed.");
  const fault = misplaced(place, settings);
  // In any region, and also if the stage's own file names no account.
  const { problem } = settingsOf({ stage, account: place.account, region: place.region });
  const reason = fault ?? problem;
  if (reason !== undefined) throw new UsageError(`${reason} Nothing was changed.`);
  const client = new CloudFormationClient({});
  const stacks: Stack[] = [];
  for await (const { Stacks = [] } of paginateDescribeStacks({ client }, {})) stacks.push(...Stacks);
  const at = `Account ${place.account}, ${place.region}`;
  if (stacks.some(({ StackName = "" }) => StackName.startsWith("ticketing-prod")))
    throw new UsageError(`${at}, has the stage prod. Rehearse in another account. Nothing was changed.`);
  const own = stacks.filter(({ StackName = "" }) =>
    [`ticketing-${stage}`, `ticketing-${stage}-data`].includes(StackName),
  );
  if (own.some(({ Tags = [] }) => !Tags.some(({ Key }) => Key === tag)))
    throw new UsageError(`${at}, has a stage ${stage} that no rehearsal has made. Nothing was changed.`);
  if (from === undefined && own.length > 0)
    throw new UsageError(`The rehearsal of the stage ${stage} has not ended. Add --from STEP. Nothing was changed.`);
  if (own.length === 0 && from !== undefined && !["quotas", "deploy", "leftovers"].includes(from))
    throw new UsageError(`${at}, has no stage ${stage}. Leave out --from ${from}.`);
}

function onAws({ stage, receiver }: Options, signal: AbortSignal): Rehearsed {
  const cdk = (commandLine: string[], cwd?: string) =>
    runCommand("npx", ["cdk", ...commandLine], {}, { signal, ...(cwd && { cwd }) });
  return {
    name: stage,
    // The caller's key is of another stage.
    environment: { SMOKE_KEY: undefined },
    receiver,
    signal,
    baseUrl: () => stageOutput(stage, "BaseUrl", `ticketing-${stage}`),
    deploy: (settings, { checkout, stacks = ["--all"] } = { checkout: "." }) => {
      // Journeys need no web ACL, which refuses some of their requests, and no second factor.
      const chosen = { stage, webAcl: "off", canary: "off", signInMfa: "optional", ...settings };
      const context = Object.entries(chosen).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
      return cdk(["deploy", ...stacks, ...context, "--require-approval", "never", "--tags", `${tag}=yes`], checkout);
    },
    destroy: async () => {
      // Except in dev, where nothing is protected.
      const StackName = `ticketing-${stage}-data`;
      if (stage !== "dev" && (await deployedStack(StackName)))
        await new CloudFormationClient({}).send(
          new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: false }),
        );
      return cdk(["destroy", "--all", "-c", `stage=${stage}`, "--force"]);
    },
  };
}
