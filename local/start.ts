import { enableCompileCache } from "node:module";
import { startService } from "./service.ts";
import { startOptions, usage } from "./startOptions.ts";
import { UsageError } from "./usageError.ts";
import { welcome } from "./welcome.ts";

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
