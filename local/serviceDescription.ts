import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import * as z from "zod";
import { Scope } from "../functions/resources/scope.ts";

const directory = ".local";
const file = `${directory}/service.json`;

/** Where a running local service is and how to use it; `.local/service.json` for other programs. */
export const ServiceDescription = z.object({
  base_url: z.string(),
  docs_url: z.string(),
  developer_area_url: z.string(),
  issuer: z.string(),
  dynamodb_endpoint: z.string(),
  table_name: z.string(),
  feed_queue_url: z.string(),
  feed_dead_letter_queue_url: z.string(),
  /** Who can sign in to the Developer area. They exist in the local service alone. */
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

/** Writes the description where only its owner can read it, for it holds working keys, and all at once. */
export async function writeServiceDescription(description: ServiceDescription): Promise<void> {
  await mkdir(directory, { recursive: true });
  // A new file: the mode only counts for one, and no reader finds it half written.
  const written = `${file}.${randomUUID()}`;
  await writeFile(written, `${JSON.stringify(description, null, 2)}\n`, { mode: 0o600 });
  await rename(written, file);
}

/** The description of the service that runs or ran last, if there is a readable one. */
export async function readServiceDescription(): Promise<ServiceDescription | undefined> {
  try {
    return ServiceDescription.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return undefined;
  }
}
