import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CloudFormationClient, UpdateTerminationProtectionCommand } from "@aws-sdk/client-cloudformation";
import * as z from "zod";
import type { Json, Template } from "../lib/support/synthesise.ts";
import { adaptAssembly } from "./emulator/adaptAssembly.ts";
import { run } from "./support/run.ts";

const stack = "ticketing-staging-data";
const place = ["-c", "account=000000000000", "-c", "region=eu-west-1"];
const settings = ["-c", "stage=staging", "-c", "alarmEmails=ops@example.org", ...place];

interface FailedCreationProps {
  /** An empty directory. */
  directory: string;
  environment: NodeJS.ProcessEnv;
  emulator: { endpoint: string; region: string; baseUrl: string };
  cdk: (...commandLine: string[]) => Promise<string>;
}

/**
 * Creates the data stack of a protected stage twice as docs/operators/deployment.md says; the first time, a resource fails when all
 * others exist.
 *
 * @returns what the failed command printed, and the table's name.
 */
export async function createAfterFailure({ directory, environment, emulator, cdk }: FailedCreationProps) {
  const [good, bad] = [join(directory, "good"), join(directory, "bad")];
  await cdk("synth", "--quiet", "--output", good, ...settings);
  keepOnly(good);
  cpSync(good, bad, { recursive: true });
  adaptAssembly(good, stack, emulator);
  adaptAssembly(bad, stack, emulator, withFailure);
  const outputs = join(directory, "outputs.json");
  const deploy = (assembly: string, exitCode: number) =>
    run(
      "npx",
      [
        "cdk",
        "deploy",
        "--all",
        ...settings,
        "--app",
        assembly,
        "--require-approval",
        "never",
        "--outputs-file",
        outputs,
      ],
      environment,
      { exitCodes: [exitCode] },
    );
  const failed = await deploy(bad, 1);
  await new CloudFormationClient({}).send(
    new UpdateTerminationProtectionCommand({ StackName: stack, EnableTerminationProtection: false }),
  );
  await deploy(good, 0);
  const { TableName } = z.object({ TableName: z.string() }).parse(JSON.parse(readFileSync(outputs, "utf8"))[stack]);
  return { failed, tableName: TableName };
}

/** Removes the other stack from an assembly. */
function keepOnly(assembly: string): void {
  const file = join(assembly, "manifest.json");
  const manifest: Json = JSON.parse(readFileSync(file, "utf8"));
  const kept = Object.entries(manifest.artifacts).filter(([id]) => id.startsWith(stack) || id === "Tree");
  writeFileSync(file, JSON.stringify({ ...manifest, artifacts: Object.fromEntries(kept) }));
}

/** Adds a resource that cannot be created, after all others. */
function withFailure({ Resources, ...template }: Template): Template {
  const Value = { "Fn::GetAtt": [Object.keys(Resources)[0], "NoSuchAttribute"] };
  const Broken = {
    Type: "AWS::SSM::Parameter",
    Properties: { Type: "String", Value },
    DependsOn: Object.keys(Resources),
  };
  return { ...template, Resources: { ...Resources, Broken } };
}
