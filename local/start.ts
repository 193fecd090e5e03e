import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { UsageError } from "@ticketing/local-aws/usage-error";
import type { ServiceDescription } from "./localService.ts";
import { showOnlyRequests } from "./logDelivery.ts";
import { startService } from "./service.ts";
import { startOptions, usage } from "./startOptions.ts";

/** The message of `npm start`, with lines to paste into a shell. The first key has every scope, so every example works with it. */
function welcome(description: ServiceDescription): string {
  const { base_url, docs_url, developer_area_url, dynamodb_endpoint, table_name, organisations, people } = description;
  const sections = organisations.map(({ organisation_id, name, keys }) =>
    [
      `  ${String(organisation_id).padEnd(6)}${name}`,
      ...keys.map((key) => `        ${key.name.padEnd(12)}${key.key}`),
    ].join("\n"),
  );
  const firstKey = organisations[0]?.keys.find(({ name }) => name === "All scopes")?.key;
  const longest = Math.max(...people.map(({ email }) => email.length));
  const signIns = people.map(
    ({ email, password, organisation_id, role }) =>
      `  ${String(organisation_id).padEnd(6)}${role.padEnd(13)}${email.padEnd(longest + 2)}${password}`,
  );
  return `
The ticketing API is running, after ${(performance.now() / 1_000).toFixed(1)} seconds.

  API             ${base_url}
  Reference       ${docs_url}
  Developer area  ${developer_area_url}
  DynamoDB        ${dynamodb_endpoint}, table ${table_name}

To try the guides' examples, paste:

  export BASE_URL=${base_url}
  export API_KEY=${firstKey}
  curl -H "Authorization: Bearer $API_KEY" "$BASE_URL/v1/events?per_page=2"

Organisations and their keys, also in .local/service.json:

${sections.join("\n\n")}

The last organisation has no events. To import some: npm run ops -- import FILE

People who can sign in to the Developer area, with their passwords:

${signIns.join("\n")}

One line for each request follows. Press Ctrl-C to stop the service.
`;
}

// Later starts, and restarts of npm run dev, skip most of the compiling.
enableCompileCache(join(import.meta.dirname, "../node_modules/.cache/compiled"));

// First, so that an interrupted start leaves nothing behind: child processes end on this process's exit event.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit());
const { ppid } = process;
const endWithNpm = () => process.ppid !== ppid && process.exit();
if (process.env.npm_lifecycle_event !== undefined) setInterval(endWithNpm, 500).unref();

// To see every line of the functions' log, set the variable to INFO.
if (process.env.POWERTOOLS_LOG_LEVEL === undefined) showOnlyRequests();

try {
  const options = startOptions(process.argv.slice(2));
  if (options === "help") {
    console.log(usage);
    process.exit();
  }
  const service = await startService(options);
  console.log(welcome(service.description));
  throw new UsageError(`DynamoDB Local ended (${await service.dynamoDbEnded}). The service stops.`);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exit(1);
}
