import { accessSync, chmodSync, constants, globSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { UsageError } from "@ticketing/local-aws/usage-error";
import type { ServiceOptions } from "./service.ts";

export const usage = `npm start -- [--port N] [--data DIR | --dynamodb-endpoint URL]
  --port N                  the service's port: 3000 by default, 0 for a free one
  --data DIR                keep the data in this directory; in memory by default
  --dynamodb-endpoint URL   use this DynamoDB instead of starting DynamoDB Local`;

/** Also creates the directory for the data if it is missing. @throws UsageError if an option is not valid. */
export function startOptions(commandLine: string[]): ServiceOptions | "help" {
  const { port, data, "dynamodb-endpoint": dynamoDbEndpoint, help } = parsed(commandLine);
  if (help) return "help";
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw badOption("--port must be a number from 0 to 65535.");
  if (data !== undefined && dynamoDbEndpoint !== undefined) {
    throw badOption("--data cannot be combined with --dynamodb-endpoint.");
  }
  if (data !== undefined) makeDirectory(data);
  if (dynamoDbEndpoint !== undefined && !/^https?:$/.test(URL.parse(dynamoDbEndpoint)?.protocol ?? "")) {
    throw badOption("--dynamodb-endpoint must be a URL, such as http://localhost:8000.");
  }
  return { port: Number(port), directory: data, dynamoDbEndpoint };
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        port: { type: "string", default: "3000" },
        data: { type: "string" },
        "dynamodb-endpoint": { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (error) {
    throw badOption(messageOf(error));
  }
}

/**
 * DynamoDB Local does not create a directory, and does not report an unusable one. Only the owner may read the data. A directory that
 * exists keeps its rights, because other files may be in it.
 */
function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    for (const file of globSync("shared-local-instance.db*", { cwd: path })) chmodSync(join(path, file), 0o600);
  } catch (error) {
    throw badOption(`--data needs a writable directory (${messageOf(error)}).`);
  }
}

function badOption(problem: string): UsageError {
  return new UsageError(`${problem}\n\n${usage}`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
