import { enableCompileCache } from "node:module";
import { startService } from "./service.ts";
import { startOptions, usage } from "./startOptions.ts";
import { UsageError } from "./usageError.ts";
import { welcome } from "./welcome.ts";

// The second start, and each restart of npm run dev, is spared most of the compiling.
enableCompileCache();

// From the very start, so that a start that is interrupted leaves nothing behind: what was started ends with the process.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit());

try {
  const options = startOptions(process.argv.slice(2));
  if (options === "help") {
    console.log(usage);
    process.exit();
  }
  const service = await startService(options);
  console.log(welcome(service.description));
  throw new UsageError(`DynamoDB Local ended (${await service.dynamoDbEnded}), and so does the service.`);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exit(1);
}
