import { parseArgs } from "node:util";
import { type Service, startService } from "./service.ts";
import type { ServiceDescription } from "./serviceDescription.ts";
import { UsageError } from "./usageError.ts";

const usage = `npm start -- [--port N] [--data DIR] [--dynamodb-endpoint URL]
  --port N                  the port of the service: 3000 where left out, 0 for a free one
  --data DIR                keep the data in this directory; in memory where left out
  --dynamodb-endpoint URL   use this DynamoDB instead of starting DynamoDB Local`;

try {
  const service = await startService(serviceOptions());
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => end(service));
  console.log(welcome(service.description));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exit(1);
}

function serviceOptions() {
  const { port, data, "dynamodb-endpoint": dynamoDbEndpoint, help } = commandLine();
  if (help) throw new UsageError(usage);
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new UsageError(`--port takes a number from 0 to 65535.\n\n${usage}`);
  }
  return { port: Number(port), directory: data, dynamoDbEndpoint };
}

function commandLine() {
  try {
    return parseArgs({
      options: {
        port: { type: "string", default: "3000" },
        data: { type: "string" },
        "dynamodb-endpoint": { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
}

async function end(service: Service): Promise<void> {
  await service.stop();
  process.exit(0);
}

function welcome({ base_url, docs_url, dynamodb_endpoint, table_name, organisations }: ServiceDescription): string {
  const rows = organisations.flatMap(({ organisation_id, name, keys }) => [
    `${organisation_id}  ${name}`,
    ...keys.map(({ name: keyName, key }) => `      ${keyName.padEnd(12)}${key}`),
  ]);
  const key = organisations[0]?.keys[0]?.key;
  return `
The ticketing API is running.

  API        ${base_url}
  Reference  ${docs_url}
  DynamoDB   ${dynamodb_endpoint}, table ${table_name}

Organisations and their keys (also in .local/service.json):

  ${rows.join("\n  ")}

Try it:

  curl -H "Authorization: Bearer ${key}" ${base_url}/v1/key
  curl -H "Authorization: Bearer ${key}" "${base_url}/v1/events?per_page=2"

Ctrl-C ends it.
`;
}
