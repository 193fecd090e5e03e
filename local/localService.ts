import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import * as z from "zod";
import { Scope } from "../functions/resources/scope.ts";

const directory = ".local";
const file = `${directory}/service.json`;

/** A description of the running local service. Other programs read it from `.local/service.json`. */
export const ServiceDescription = z.object({
  process_id: z.int(),
  base_url: z.string(),
  docs_url: z.string(),
  developer_area_url: z.string(),
  issuer: z.string(),
  dynamodb_endpoint: z.string(),
  table_name: z.string(),
  feed_queue_url: z.string(),
  feed_dead_letter_queue_url: z.string(),
  /** People who can sign in to the Developer area. They exist only in the local service. */
  people: z.array(
    z.object({
      email: z.string(),
      password: z.string(),
      organisation_id: z.number(),
      role: z.enum(["super-admin", "staff"]),
    }),
  ),
  organisations: z.array(
    z.object({
      organisation_id: z.number(),
      name: z.string(),
      keys: z.array(z.object({ name: z.string(), key: z.string(), scopes: z.array(Scope) })),
    }),
  ),
});
export type ServiceDescription = z.infer<typeof ServiceDescription>;

/** Writes the description atomically, readable only by its owner: it contains working keys. */
export async function writeServiceDescription(description: ServiceDescription): Promise<void> {
  await mkdir(directory, { recursive: true });
  // A new file, because the mode applies only on creation, and so that readers never see a partial file.
  const written = `${file}.${randomUUID()}`;
  await writeFile(written, `${JSON.stringify(description, null, 2)}\n`, { mode: 0o600 });
  await rename(written, file);
}

/** The description of the running or last service; undefined if it is missing or not valid. */
export async function readServiceDescription(): Promise<ServiceDescription | undefined> {
  try {
    return ServiceDescription.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return undefined;
  }
}

/**
 * The description of the running local service; undefined if none runs, or if it has stopped.
 * @param address the one that the caller uses.
 */
export async function runningService(
  address: "base_url" | "dynamodb_endpoint" | "feed_queue_url",
): Promise<ServiceDescription | undefined> {
  const service = await readServiceDescription();
  const url = service && URL.parse(service[address]);
  if (!url || !isRunning(service.process_id)) return undefined;
  return (await accepts(url.hostname.replaceAll(/[[\]]/g, ""), Number(url.port))) ? service : undefined;
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}

/** Tests that a program listens on a port. */
export async function accepts(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Points this process's functions at a DynamoDB other than AWS's, through variables that the SDK reads itself. */
export function useLocalTable(endpoint: string, tableName: string): void {
  useLocalCredentials();
  Object.assign(process.env, { AWS_ENDPOINT_URL_DYNAMODB: endpoint, TABLE_NAME: tableName });
}

/** Sets placeholder credentials and region in this process: local services accept any, and must never receive real ones. */
export function useLocalCredentials(): void {
  Object.assign(process.env, { AWS_REGION: "local", AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local" });
  delete process.env.AWS_SESSION_TOKEN;
}
