import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../deployed/support/run.ts";
import { type Json, resourcesOf, type Template } from "../../lib/support/synthesise.ts";
import { temporaryDirectory } from "../../support/temporaryDirectory.ts";

/** A function as the template deploys it, with the values that its references have here. */
export interface DeployedFunction {
  /** The name of its construct, such as `getEvent`. */
  name: string;
  /** The directory of its code in the assembly. */
  asset: string;
  runtime: string;
  handler: string;
  timeoutSeconds: number;
  memoryMiB: number;
  variables: Record<string, string>;
}

/** Returns the value of a resource's `Ref`, or of an attribute. It throws for resources that no function is expected to know. */
export type ValueOf = (type: string, id: string, attribute: string | undefined) => string;

/** Synthesises a stage by the CDK's own command. @returns the assembly with its templates. */
export async function synthesiseStage(): Promise<{ directory: string; data: Template; api: Template }> {
  const directory = temporaryDirectory();
  const context = [
    "stage=prod",
    "alarmEmails=ops@example.org",
    "account=123456789012",
    "region=eu-west-1",
    "oldTls=accepted",
  ];
  const settings = context.flatMap((setting) => ["-c", setting]);
  await run("npm", ["run", "synth", "--", ...settings, "--output", directory], {});
  const read = (stack: string): Template => JSON.parse(readFileSync(join(directory, `${stack}.template.json`), "utf8"));
  return { directory, data: read("ticketing-prod-data"), api: read("ticketing-prod") };
}

/** The service's functions, without CDK's own. */
export function deployedFunctions(
  { directory, data, api }: { directory: string; data: Template; api: Template },
  resolve: ValueOf,
): DeployedFunction[] {
  const valueIn = (template: Template, value: Json): string => {
    if (typeof value === "string") return value;
    const output = value["Fn::GetStackOutput"]?.OutputName;
    if (output !== undefined) return valueIn(data, data.Outputs[output].Value);
    if (value["Fn::Join"]) {
      const [separator, parts] = value["Fn::Join"];
      return parts.map((part: Json) => valueIn(template, part)).join(separator);
    }
    const [id, attribute] = value["Fn::GetAtt"] ?? [value.Ref];
    return resolve(template.Resources[id]?.Type, id, attribute);
  };
  return [data, api].flatMap((template) =>
    resourcesOf(template, "AWS::Lambda::Function").flatMap(([, { Properties, Metadata }]): DeployedFunction[] => {
      const name = /\/(\w+)\/Function\/Resource$/.exec(Metadata["aws:cdk:path"])?.[1];
      if (name === undefined) return [];
      const variables = Object.entries<Json>(Properties.Environment.Variables);
      return [
        {
          name,
          asset: join(directory, Metadata["aws:asset:path"]),
          runtime: Properties.Runtime,
          handler: Properties.Handler,
          timeoutSeconds: Properties.Timeout,
          memoryMiB: Properties.MemorySize,
          variables: Object.fromEntries(variables.map(([key, value]) => [key, valueIn(template, value)])),
        },
      ];
    }),
  );
}

/** A copy of a function's code in a directory of its own, with nothing of the repository around it. */
export function unpacked({ asset }: Pick<DeployedFunction, "asset">): string {
  const directory = temporaryDirectory();
  cpSync(asset, directory, { recursive: true });
  return directory;
}
