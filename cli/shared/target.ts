import { CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { UsageError } from "@ticketing/local-aws/usage-error";
import * as z from "zod";
import { itemKeys } from "../../functions/table/itemKeys.ts";
import { getItem } from "../../functions/table/reads.ts";
import { openUncountedTable, type Table } from "../../functions/table/table.ts";
import { describeError } from "../../functions/table/tableErrors.ts";
import { type Settings, Stage, settingsOf } from "../../lib/settings.ts";
import {
  runningService,
  type ServiceDescription,
  useLocalCredentials,
  useLocalTable,
} from "../../local/localService.ts";
import { option } from "./command.ts";

export const stageName = z.enum(Stage.options, "--stage must be dev, staging or prod.");

export const targetOptions = {
  stage: option(
    stageName.optional(),
    "NAME",
    "this stage in AWS, with the usual credentials and region; default: the running local service",
  ),
  table: option(z.string().optional(), "NAME", "this table instead of the stage's or the local service's own"),
  endpoint: option(z.string().optional(), "URL", "this DynamoDB instead of the stage's or the local service's"),
};

export const queueOptions = {
  stage: targetOptions.stage,
  "queue-url": option(z.string().optional(), "URL", "this queue instead of the stage's own"),
};

type Target = z.infer<z.ZodObject<typeof targetOptions>>;

/** A command to print, which a person can copy: its words and options, with the same target. */
export function nextCommand(words: string, target: Target): string {
  const options = (["stage", "endpoint", "table"] as const).flatMap((name) => {
    const value = target[name];
    if (value === undefined) return [];
    return [`--${name}`, /^[\w./:@-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`];
  });
  return ["npm run ops --", words, ...options].join(" ");
}

/**
 * Opens the table that a command works on: a named one, or by default the target's own. The target is a stage in AWS, an endpoint, or by default
 * the running local service. Without a stage, no call goes to AWS's own endpoint.
 * @throws UsageError if the table belongs to another stage, does not exist or cannot be read.
 */
export async function openTarget({ stage, endpoint, table }: Target): Promise<Table> {
  const name = table ?? (stage && (await stageOutput(stage, "TableName")));
  if (name !== undefined) requireStage(`Table ${name}`, name, stage);
  if (endpoint !== undefined) await useEndpoint(endpoint, name);
  else if (stage !== undefined) process.env.TABLE_NAME = name;
  else {
    const service = await localService("dynamodb_endpoint");
    useLocalTable(service.dynamodb_endpoint, name ?? service.table_name);
  }
  return readable(openUncountedTable());
}

/** @throws UsageError if the table is the target, belongs to another stage, does not exist or cannot be read. */
export async function openBeside(target: Table, name: string): Promise<Table> {
  if (name === target.name()) throw new UsageError(`Table ${name} is the one to write to. Name another.`);
  if (stageIn(name) !== stageIn(target.name()))
    throw new UsageError(`Table ${name} belongs to another stage than ${target.name()}. Nothing was changed.`);
  return readable({ ...target, name: () => name });
}

/** The stage in the name that CloudFormation gave a table or queue of the data stack. A restored table's name begins with its source's. */
function stageIn(name: string): string | undefined {
  return new RegExp(`^ticketing-(${Stage.options.join("|")})-`).exec(name)?.[1];
}

/** @throws UsageError if a table or queue belongs to another stage than the named one, or to a stage that is not named. */
function requireStage(resource: string, name: string, stage: Stage | undefined): void {
  const own = stageIn(name);
  if (own === stage) return;
  throw new UsageError(
    own === undefined
      ? `${resource} does not belong to the stage ${stage}. Nothing was changed.`
      : `${resource} belongs to the stage ${own}${stage === undefined ? `, which --stage must name` : `, not to ${stage}`}. Nothing was changed.`,
  );
}

/** A stack as CloudFormation describes it, in the account and region of the credentials. */
interface DeployedStack {
  account: string;
  region: string;
  outputs: Record<string, string>;
}

/** @returns undefined if the stack does not exist in this account and region. */
export async function deployedStack(name: string): Promise<DeployedStack | undefined> {
  const client = new CloudFormationClient({});
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: name }));
    const { StackId = "", Outputs = [] } = Stacks[0] ?? {};
    const [, , , region = "", account = ""] = StackId.split(":");
    const outputs = Outputs.map(({ OutputKey = "", OutputValue = "" }) => [OutputKey, OutputValue]);
    return { account, region, outputs: Object.fromEntries(outputs) };
  } catch (error) {
    if (error instanceof Error && error.name === "ValidationError" && /does not exist/.test(error.message))
      return undefined;
    throw error;
  } finally {
    client.destroy();
  }
}

/** An error message if the stack is in another account or region than the settings name. */
export function misplaced({ account, region }: DeployedStack, settings: Settings): string | undefined {
  const isThere =
    (settings.account ?? account) === account && (settings.region === undefined || settings.region === region);
  return isThere
    ? undefined
    : `The credentials and the region lead to account ${account}, ${region}, but deploy/stages/${settings.stage}.json says ${settings.account}, ${settings.region}.`;
}

/** @throws UsageError if the stage is not deployed, its version lacks the output, or its file names another account or region. */
export async function stageOutput(
  stage: Stage,
  output: string,
  stackName = `ticketing-${stage}-data`,
): Promise<string> {
  const stack = await deployedStack(stackName);
  const value = stack?.outputs[output];
  if (stack === undefined || value === undefined)
    throw new UsageError(`The stage ${stage} has no output ${output} in this account and region.`);
  const fault = misplaced(stack, settingsIn(stage));
  if (fault !== undefined) throw new UsageError(`${fault} Nothing was read or changed.`);
  return value;
}

/** The settings in a stage's file. @throws UsageError if they are invalid. */
export function settingsIn(stage: string): Settings {
  const { settings, problem } = settingsOf({ stage });
  if (!settings) throw new UsageError(String(problem));
  return settings;
}

async function readable(table: Table): Promise<Table> {
  try {
    // Any key will do: the read succeeds if the table exists and is readable.
    await getItem(table, itemKeys.event(1, 1));
    return table;
  } catch (error) {
    const { AWS_ENDPOINT_URL_DYNAMODB: endpoint } = process.env;
    const at = endpoint === undefined ? "" : ` at ${endpoint}`;
    throw new UsageError(`Cannot use table ${table.name()}${at}: ${describeError(error)}.`, { cause: error });
  }
}

async function useEndpoint(endpoint: string, table: string | undefined): Promise<void> {
  const protocol = URL.parse(endpoint)?.protocol;
  if (protocol !== "http:" && protocol !== "https:") throw new UsageError("--endpoint must be an http or https URL.");
  const tableName =
    table ?? (await localService("dynamodb_endpoint", "Or name the table with --table NAME.")).table_name;
  if (protocol === "http:") return useLocalTable(endpoint, tableName);
  // AWS's own endpoints use https and need real credentials.
  Object.assign(process.env, { AWS_ENDPOINT_URL_DYNAMODB: endpoint, TABLE_NAME: tableName });
}

/**
 * Sets this process's credentials and region for a queue: a stage's, a named one in AWS, a local one if the URL is http, or by default the
 * running local service's.
 * @param output the data stack's output with the URL of a stage's queue.
 * @returns the queue's URL.
 * @throws UsageError if the URL is invalid, the queue belongs to another stage, or no local service runs.
 */
export async function openQueue(
  { stage, "queue-url": given }: z.infer<z.ZodObject<typeof queueOptions>>,
  output = "FeedQueueUrl",
): Promise<string> {
  const queueUrl = given ?? (stage && (await stageOutput(stage, output)));
  if (queueUrl === undefined) {
    const service = await localService("feed_queue_url");
    useLocalCredentials();
    return service.feed_queue_url;
  }
  const url = URL.parse(queueUrl);
  if (url?.protocol === "http:") useEmulator();
  else if (url?.protocol === "https:") useRegionOf(url);
  else throw new UsageError("--queue-url must be an http or https URL.");
  requireStage(`Queue ${queueUrl}`, queueUrl.replace(/^.*\//, ""), stage);
  return queueUrl;
}

/** @throws UsageError that names the queue if the call fails. */
export async function usingQueue<Result>(queueUrl: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`Cannot use queue ${queueUrl}: ${describeError(error)}.`, { cause: error });
  }
}

/** Keeps a given region, because an emulator's queues belong to one. */
function useEmulator(): void {
  const { AWS_REGION } = process.env;
  useLocalCredentials();
  if (AWS_REGION !== undefined) process.env.AWS_REGION = AWS_REGION;
}

/** SQS rejects requests signed for a region other than the queue's, which its URL names. */
function useRegionOf({ hostname }: URL): void {
  const region = /^sqs\.([\w-]+)\.amazonaws\.com$/.exec(hostname)?.[1];
  if (region !== undefined) process.env.AWS_REGION = region;
}

/** @throws UsageError with this advice if the local service does not run, or does not listen at the address that the caller uses. */
async function localService(
  address: "dynamodb_endpoint" | "feed_queue_url",
  advice = "Or name a stage in AWS with --stage NAME.",
): Promise<ServiceDescription> {
  const service = await runningService(address);
  if (!service) throw new UsageError(`The local service is not running: npm start. ${advice}`);
  return service;
}
