import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { only } from "../lib/support/synthesise.ts";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";
import { adaptAssembly } from "./emulator/adaptAssembly.ts";
import type { Front } from "./emulator/distribution.ts";
import type { Emulator } from "./emulator/emulator.ts";
import { tagBuckets } from "./emulator/inspect.ts";
import { run } from "./support/run.ts";

const stack = "ticketing-dev";
const stacks = [`${stack}-data`, stack];
const account = "000000000000";
const region = "eu-west-1";

const Outputs = z.object({
  UserPoolId: z.string(),
  TableName: z.string(),
  FeedQueueUrl: z.string(),
  ImportBucketName: z.string(),
  ApiId: z.string(),
});
type Outputs = z.infer<typeof Outputs>;

type Settings = Readonly<Record<string, string>>;

/**
 * A stage of the service on the emulator, which the CDK's own command line deploys, changes and removes.
 *
 * @param baseUrl the address of what replaces the distribution.
 */
export function emulatedStage({ endpoint }: Emulator, baseUrl: string) {
  const emulator = { endpoint, region, baseUrl };
  const directory = temporaryDirectory();
  const environment = environmentOf(endpoint, directory);
  // The clients in this process use the emulator too.
  Object.assign(process.env, environment);
  const cdk = (...commandLine: string[]) =>
    run(process.execPath, [join("node_modules", "aws-cdk", "bin", "cdk"), ...commandLine], environment);

  /** Synthesises the stacks of a checkout with these settings, adapted to the emulator. @returns the directory of the assembly. */
  async function synthesise(settings: Settings, checkout = "."): Promise<string> {
    const assembly = temporaryDirectory();
    const context = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const synth = ["synth", "--quiet", "--output", assembly, "-c", "stage=dev", ...context];
    await run("sh", ["-c", 'cd "$0" && exec npx cdk "$@"', checkout, ...synth], environment);
    for (const name of stacks) adaptAssembly(assembly, name, emulator);
    return assembly;
  }

  const assemblyOf = oncePer(synthesise);

  return {
    stack,
    environment,
    emulator,
    cdk,
    /** The distribution's function, as synthesised, and what is behind it. */
    async front({ ApiId }: Outputs): Promise<Front> {
      const file = join(await assemblyOf({}), `${stack}.template.json`);
      const { FunctionCode } = only(JSON.parse(readFileSync(file, "utf8")), "AWS::CloudFront::Function").Properties;
      return { stageUrl: `${endpoint}/restapis/${ApiId}/dev/_user_request_`, functionCode: FunctionCode };
    },

    bootstrap: () => cdk("bootstrap", `aws://${account}/${region}`, "--output", join(directory, "bootstrap")),

    /** Deploys both stacks, by default of this checkout. */
    async deploy(settings: Settings = {}, checkout?: string): Promise<Outputs> {
      const assembly = await (checkout === undefined ? assemblyOf(settings) : synthesise(settings, checkout));
      const outputs = join(directory, "outputs.json");
      const options = ["--app", assembly, "--require-approval", "never", "--outputs-file", outputs];
      await run("npm", ["run", "deploy", "--", ...options], environment);
      await tagBuckets(stack);
      const byStack = JSON.parse(readFileSync(outputs, "utf8"));
      return Outputs.parse(Object.assign({}, ...stacks.map((name) => byStack[name])));
    },

    /** @returns what a deployment would change. */
    diff: async () => cdk("diff", "--app", await assemblyOf({}), "--no-change-set"),

    /** @param names by default both stacks. */
    destroy: async (...names: string[]) =>
      cdk("destroy", "--app", await assemblyOf({}), "--force", ...(names.length > 0 ? names : ["--all"])),
  };
}

/** Makes the assembly of this checkout once for the same settings. `.ci/run templates` makes one twice and compares. */
function oncePer(synthesise: (settings: Settings) => Promise<string>): (settings: Settings) => Promise<string> {
  const assemblies = new Map<string, Promise<string>>();
  return (settings) => {
    const key = JSON.stringify(settings);
    const assembly = assemblies.get(key) ?? synthesise(settings);
    assemblies.set(key, assembly);
    return assembly;
  };
}

function environmentOf(endpoint: string, directory: string) {
  return {
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    AWS_REGION: region,
    CDK_DEFAULT_ACCOUNT: account,
    CDK_DEFAULT_REGION: region,
    // The commands, most of all the CDK's, spend seconds to compile the same code each time.
    NODE_COMPILE_CACHE: join(directory, "compiled"),
  };
}
