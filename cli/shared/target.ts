import * as z from "zod";
import { localService, useLocalTable } from "../../common/localService.ts";
import { UsageError } from "../../common/usageError.ts";
import { describeError } from "../../functions/table/errors.ts";
import { keys } from "../../functions/table/keys.ts";
import { getItem } from "../../functions/table/reads.ts";
import { openTable, type Table } from "../../functions/table/table.ts";

export const targetOptions = {
  /** A DynamoDB other than the AWS region's. */
  endpoint: z.string().optional(),
  table: z.string().optional(),
};

type Target = z.infer<z.ZodObject<typeof targetOptions>>;

/**
 * Opens the table that a command works on: a named table in AWS or at an endpoint, or by default the running local service's.
 *
 * @throws UsageError if the table does not exist or cannot be read.
 */
export async function openTarget({ endpoint, table }: Target): Promise<Table> {
  if (endpoint !== undefined) await useEndpoint(endpoint, table);
  else if (table !== undefined) process.env.TABLE_NAME = table;
  else await useLocalService();
  return readable(openTable());
}

/**
 * Opens another table of the same stage beside the one that a command works on.
 *
 * @throws UsageError if it is the same, belongs to another stage, does not exist or cannot be read.
 */
export async function openBeside(target: Table, name: string): Promise<Table> {
  if (name === target.name()) throw new UsageError(`Table ${name} is the one to write to. Name another.`);
  const stages = [name, target.name()].map((table) => /^ticketing-(dev|staging|prod)-/.exec(table)?.[1]);
  if (stages[0] !== stages[1])
    throw new UsageError(`Table ${name} belongs to another stage than ${target.name()}. Nothing was changed.`);
  return readable({ ...target, name: () => name });
}

async function readable(table: Table): Promise<Table> {
  try {
    // Any key will do: the read succeeds if the table exists and is readable.
    await getItem(table, keys.event(1, 1));
    return table;
  } catch (error) {
    throw new UsageError(`Cannot use table ${table.name()}${at()}: ${describeError(error)}.`, { cause: error });
  }
}

function at(): string {
  const { AWS_ENDPOINT_URL_DYNAMODB: endpoint } = process.env;
  return endpoint === undefined ? "" : ` at ${endpoint}`;
}

async function useLocalService(): Promise<void> {
  const service = await localService("Start it with npm start, or name an AWS table with --table NAME.");
  useLocalTable(service.dynamodb_endpoint, service.table_name);
}

async function useEndpoint(endpoint: string, table: string | undefined): Promise<void> {
  const protocol = URL.parse(endpoint)?.protocol;
  if (protocol !== "http:" && protocol !== "https:")
    throw new UsageError(`--endpoint must be an http or https URL, not ${endpoint}.`);
  const tableName = table ?? (await localService("Name the table with --table NAME.")).table_name;
  if (protocol === "http:") return useLocalTable(endpoint, tableName);
  // AWS's own endpoints use https and need real credentials.
  Object.assign(process.env, { AWS_ENDPOINT_URL_DYNAMODB: endpoint, TABLE_NAME: tableName });
}
