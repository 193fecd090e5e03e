import { enableCompileCache } from "node:module";
import { UsageError } from "@ticketing/local-aws/usage-error";
import type { ServiceDescription } from "./localService.ts";
import { startService } from "./service.ts";
import { startOptions, usage } from "./startOptions.ts";

/** The message of `npm start`, with commands to paste into a shell. */
function welcome(description: ServiceDescription): string {
  const { base_url, docs_url, developer_area_url, dynamodb_endpoint, table_name, organisations, people } = description;
  const sections = organisations.map(({ organisation_id, name, keys }) =>
    [
      `  ${String(organisation_id).padEnd(6)}${name}`,
      ...keys.map((key) => `        ${key.name.padEnd(12)}${key.key}`),
      `        curl -H "Authorization: Bearer ${keys[0]?.key}" "${base_url}/v1/events?per_page=2"`,
    ].join("\n"),
  );
  const longest = Math.max(...people.map(({ email }) => email.length));
  const signIns = people.map(
    ({ email, password, organisation_id, role }) =>
      `  ${String(organisation_id).padEnd(6)}${role.padEnd(13)}${email.padEnd(longest + 2)}${password}`,
  );
  return `
The ticketing API is running.

  API             ${base_url}
  Reference       ${docs_url}
  Developer area  ${developer_area_url}
  DynamoDB        ${dynamodb_endpoint}, table ${table_name}

Organisations, their keys (also in .local/service.json) and a request to try:

${sections.join("\n\n")}

The summaries are complete in a few seconds.

The last organisation has no events. To import some: npm run ops -- import FILE

People who can sign in to the Developer area, with their passwords:

${signIns.join("\n")}

The log follows. Press Ctrl-C to stop the service.
`;
}

// Later starts, and restarts of npm run dev, skip most of the compiling.
enableCompileCache();

// First, so that an interrupted start leaves nothing behind: child processes end on this process's exit event.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit());

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
